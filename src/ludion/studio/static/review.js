// The value of every position of a finished duel, as a curve.

import { fill, h, svg } from "./dom.js";
import { t } from "./strings.js";

const MOST_PLIES = 80;
const [WIDTH, HEIGHT] = [320, 90];

export function reviewField(page) {
  const place = h("div", { id: "review" });
  const go = async () => {
    const values = [];
    const { session } = page;
    for (let ply = 0; ply <= session.moves.length && ply <= MOST_PLIES; ply += 1) {
      const answer = await page.question("solve", { ...session.place, moves: session.moves.slice(0, ply), engine: "best", seconds: 0.5 });
      if (!answer) break;
      if (answer.score) values.push({ ply, value: (ply % 2 ? -1 : 1) * answer.score.value, words: answer.score.words });
    }
    fill(place, curve(values, (ply) => session.goto(ply)));
  };
  return h("details", { id: "review-field" }, h("summary", {}, t("review")), h("p", { class: "help" }, t("review_title")), h("button", { type: "button", id: "review-go", onclick: go }, t("review")), place);
}

// Show it at once, from the end of a game.
export function openReview(page) {
  page.panels.choose("play");
  const field = document.getElementById("review-field");
  field.open = true;
  field.scrollIntoView({ block: "nearest" });
  document.getElementById("review-go").click();
}

function curve(values, goto) {
  const x = (ply) => 8 + (WIDTH - 16) * ply / Math.max(1, values.length - 1);
  const y = (value) => HEIGHT / 2 - (HEIGHT / 2 - 8) * Math.max(-1, Math.min(1, Math.abs(value) > 9000 ? Math.sign(value) : Math.tanh(value / 50)));
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": t("review_title") },
    svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "axis" }),
    svg("polyline", { points: values.map((each) => `${x(each.ply)},${y(each.value)}`).join(" "), class: "curve" }),
    values.map((each, index) => {
      const lost = index > 0 && Math.abs(y(each.value) - y(values[index - 1].value)) > HEIGHT / 4;
      const dot = svg("circle", { cx: x(each.ply), cy: y(each.value), r: lost ? 5 : 3, class: lost ? "mistake" : "dot" }, svg("title", {}, `${each.ply}: ${each.words}`));
      dot.addEventListener("click", () => goto(each.ply));
      return dot;
    }));
}
