// The rules, by their names in axe-core: gives what breaks them. See test_accessibility.py.
() => {
  const found = [];
  const shown = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const report = (rule, each) => found.push(`${rule}: ${each.outerHTML.slice(0, 160)}`);

  let last = 0;
  for (const each of document.querySelectorAll("h1, h2, h3, h4")) {
    if (!shown(each)) continue;
    const level = Number(each.tagName[1]);
    if (level > last + 1) report("heading-order", each);
    last = level;
  }

  const interactive = "button, a[href], input, select, textarea, summary, [role=button], [tabindex='0']";
  for (const each of document.querySelectorAll(`:is(button, a[href], [role=button]) :is(${interactive})`)) report("nested-interactive", each);
  for (const each of document.querySelectorAll("[role=img] [role=button], [role=img] [tabindex]")) report("nested-interactive", each);

  for (const each of document.querySelectorAll("[aria-label]")) {
    const plain = /^(div|span|p|b|small|pre|g|rect|path|circle|polygon)$/.test(each.tagName.toLowerCase());
    if (plain && !each.hasAttribute("role") && !each.closest("svg[role=img]") && !each.closest("[aria-hidden=true]")) report("aria-prohibited-attr", each);
  }

  for (const each of document.querySelectorAll(interactive)) {
    if (!shown(each) || each.closest("[aria-hidden=true]")) continue;
    const label = each.labels?.length ? each.labels[0].textContent : "";
    const name = each.getAttribute("aria-label") || each.getAttribute("aria-labelledby") || each.title || each.textContent || label;
    if (!name.trim()) report("button-name", each);
  }

  const ids = new Map();
  for (const each of document.querySelectorAll("[id]")) ids.set(each.id, [...(ids.get(each.id) || []), each]);
  for (const [, all] of ids) if (all.length > 1) report("duplicate-id", all[1]);

  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const parts = (colour) => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); return [...pen.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (each) => {
    for (let here = each; here; here = here.parentElement) {
      const colour = parts(getComputedStyle(here).backgroundColor);
      if (colour[3] > 250) return colour;
    }
    return [255, 255, 255];
  };
  for (const each of document.querySelectorAll("main *, header *, dialog *")) {
    if (each.closest("svg") || each.closest(":disabled") || !shown(each) || ![...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    const style = getComputedStyle(each);
    const [a, b] = [light(parts(style.color)), light(ground(each))].sort((one, other) => other - one);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) report(`color-contrast ${((a + 0.05) / (b + 0.05)).toFixed(2)}`, each);
  }
  return found;
}
