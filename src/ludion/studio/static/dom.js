// Small helpers for making elements. Text is always set as text: nothing here parses HTML.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, attributes);
  element.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  assign(element, attributes);
  element.append(...children.flat());
  return element;
}

function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element && element.namespaceURI.endsWith("xhtml")) element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
}

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((each) => each !== null && each !== undefined && each !== false));
  return parent;
}

// A picture from the server as an element; its own colours give way to the page's.
export function picture(source) {
  const root = new DOMParser().parseFromString(
    source.replace(/<style>[^<]*<\/style>/, ""),
    "image/svg+xml",
  ).documentElement;
  if (root.nodeName !== "svg") return h("p", {}, "?");
  for (const each of root.querySelectorAll("style, script, foreignObject")) each.remove();
  return document.importNode(root, true);
}

// A picture that is only looked at: one image, whose cells have no words of their own.
export function image(source) {
  const drawn = picture(source);
  for (const each of drawn.querySelectorAll("[aria-label]")) each.removeAttribute("aria-label");
  return drawn;
}

// A board in text: rows below each other, if the notation has them in one line.
export const rowsOf = (text) => (text.includes("\n") ? text : text.replaceAll("/", "\n"));

let toastTimer = 0;
export function toast(text) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => place.classList.remove("shown"), 4000);
}

export const quiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function count(number) {
  return number === null || number === undefined ? "–" : Number(number).toLocaleString(document.documentElement.lang);
}

export function seconds(number) {
  if (number === null || number === undefined) return "–";
  return number < 1 ? `${(number * 1000).toFixed(number < 0.01 ? 1 : 0)} ms` : `${number.toFixed(2)} s`;
}

export function remember(name, value) {
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(`ludion.${name}`));
    localStorage.setItem(`ludion.${name}`, JSON.stringify(value));
  } catch {
    /* a browser without storage forgets */
  }
  return null;
}

export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
