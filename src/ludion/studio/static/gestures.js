// Pointers over a board: presses, long presses, drags, swipes, panning and pinching. The board's element stays as pictures
// are drawn anew, and a press is known by the name of its cell: one that began on the old picture counts on the new one.

const HOLD = 350; // milliseconds of a long press
const STILL = 10; // pixels that a press may wander
const BUTTONS = "[data-cell], [data-move]";

// A point of the screen in the units of the picture.
export function pointIn(svg, { clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
}

const buttonAt = (element, { clientX, clientY }) => {
  const button = document.elementFromPoint(clientX, clientY)?.closest(BUTTONS);
  return button && element.contains(button) ? button : null;
};

// What a press was on: a cell or a target, by name.
const nameOf = (button) => (button ? (button.dataset.move ?? `cell ${button.dataset.cell}`) : null);

export function listenForPointers(board) {
  const { element, page } = board;
  let press = null; // { name, button, x, y, grabbed, held, moved, carried }
  let timer = 0;

  const hold = (cell) => {
    if (!press || press.moved) return;
    press.held = true;
    page.module.hold?.(page, cell);
  };

  // Where the keyboard is, is shown to those who use it.
  document.addEventListener("keydown", () => element.classList.remove("by-pointer"), true);
  element.addEventListener("pointerdown", (event) => {
    element.classList.add("by-pointer");
    clearTimeout(timer);
    if (!event.isPrimary || !board.svg) {
      press = null;
      return;
    } // a second finger: no press
    if (event.button !== 0) return;
    const button = buttonAt(element, event);
    const cell = button?.dataset.move ? null : (button?.dataset.cell ?? null);
    press = {
      name: nameOf(button),
      cell,
      x: event.clientX,
      y: event.clientY,
      moved: false,
      held: false,
      carried: false,
    };
    if (cell !== null && !page.busy) press.grabbed = page.module.grab?.(page, cell, board.svg) ?? null;
    if (press.grabbed) press.from = pointIn(board.svg, event);
    if (cell !== null && page.module.hold && event.pointerType === "touch") timer = setTimeout(() => hold(cell), HOLD);
    element.setPointerCapture(event.pointerId);
    button?.focus({ preventScroll: true });
    if (page.module.drags) event.preventDefault();
  });

  element.addEventListener("pointermove", (event) => {
    if (!press || !event.isPrimary) return;
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL && !press.moved) {
      press.moved = true;
      clearTimeout(timer);
      // What can be carried to a target is chosen by dragging it.
      if (!press.grabbed && press.cell !== null && !page.busy && board.carries(press.cell)) {
        press.carried = true;
        if (board.chosen !== press.cell) board.choose(press.cell);
      }
    }
    if (press.moved && press.grabbed) {
      const to = pointIn(board.svg, event);
      press.grabbed.move({ x: to.x - press.from.x, y: to.y - press.from.y });
    }
  });

  const end = (event) => {
    if (!press || !event.isPrimary) return;
    clearTimeout(timer);
    const { name, moved, held, grabbed, carried } = press;
    press = null;
    if (event.type === "pointercancel") {
      grabbed?.drop(false);
      return;
    }
    const button = buttonAt(element, event);
    if (grabbed && moved) grabbed.drop(true);
    else if (carried) {
      if (button?.dataset.move) board.pressButton(button);
    } else if (
      !(moved && page.module.drags) &&
      !held &&
      name !== null &&
      (nameOf(button) === name || (!button && !moved))
    ) {
      if (button) board.pressButton(button);
      else if (name.startsWith("cell ")) board.press(name.slice(5));
    }
  };
  for (const each of ["pointerup", "pointercancel"]) element.addEventListener(each, end);

  element.addEventListener("contextmenu", (event) => {
    const cell = event.target.closest?.("[data-cell]")?.dataset.cell;
    if (cell === undefined || !page.module.hold) return;
    event.preventDefault();
    clearTimeout(timer);
    if (press?.held) return; // a finger's long press, already answered
    if (press) press.held = true;
    page.module.hold(page, cell);
  });
  if (page.module.pans) panAndZoom(board);
}

// Swipes, with finger, pen or mouse: start(way) when the pointer has gone that way ("left", "right", "up", "down"), again
// when it turns; end() when it is lifted.
export function onSwipe(element, start, end = () => {}, reach = 24) {
  let from = null;
  let way = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.isPrimary && event.button === 0) [from, way] = [{ x: event.clientX, y: event.clientY }, null];
  });
  element.addEventListener("pointermove", (event) => {
    if (!from || !event.isPrimary) return;
    const [right, down] = [event.clientX - from.x, event.clientY - from.y];
    if (Math.max(Math.abs(right), Math.abs(down)) < reach) return;
    const now = Math.abs(right) > Math.abs(down) ? (right > 0 ? "right" : "left") : down > 0 ? "down" : "up";
    from = { x: event.clientX, y: event.clientY };
    if (now === way) return;
    way = now;
    start(way);
  });
  const stop = (event) => {
    if (!from || !event.isPrimary) return;
    from = null;
    if (way !== null) end();
  };
  for (const each of ["pointerup", "pointercancel"]) element.addEventListener(each, stop);
}

// Drag to pan, two fingers or the wheel to zoom: by the picture's view box.
function panAndZoom(board) {
  const { element } = board;
  const fingers = new Map();
  let far = 0; // how far the fingers went
  let still = false; // one finger carries a piece: the view holds still
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  element.addEventListener("pointerdown", (event) => {
    if (!board.svg) return;
    if (!fingers.size) [far, still] = [0, Boolean(event.target.closest(".pressable, [data-move]"))];
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  element.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before || !board.svg) return;
    const wide = fingers.size === 2 ? spread() : 0;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    far += Math.hypot(event.clientX - before.x, event.clientY - before.y);
    if (fingers.size === 2) zoom(board.svg, Math.max(0.5, Math.min(2, wide / Math.max(1, spread()))));
    else if (far > STILL && !still) {
      const scale = board.svg.getScreenCTM().a;
      const { x, y, width, height } = board.svg.viewBox.baseVal;
      board.svg.setAttribute(
        "viewBox",
        `${x - (event.clientX - before.x) / scale} ${y - (event.clientY - before.y) / scale} ${width} ${height}`,
      );
    }
  });
  for (const each of ["pointerup", "pointercancel"])
    element.addEventListener(each, (event) => fingers.delete(event.pointerId));
  element.addEventListener(
    "wheel",
    (event) => {
      if (board.svg) {
        event.preventDefault();
        zoom(board.svg, event.deltaY > 0 ? 1.12 : 0.89);
      }
    },
    { passive: false },
  );
}

export function zoom(svg, factor) {
  const view = svg.viewBox.baseVal;
  const [width, height] = [view.width * factor, view.height * factor];
  svg.setAttribute(
    "viewBox",
    `${view.x + (view.width - width) / 2} ${view.y + (view.height - height) / 2} ${width} ${height}`,
  );
}
