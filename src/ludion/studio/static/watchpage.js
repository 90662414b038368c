// The page /watch/GAME?p=&engine=&beside=: searches of a position, watched over the whole width.

import { readPlace, writePlace } from "./address.js";
import { get, post } from "./api.js";
import { boardModule } from "./board.js";
import { fill, h, quiet, toast } from "./dom.js";
import { clean, guideOf, watchedSettings } from "./fields.js";
import { t } from "./strings.js";
import { Watch } from "./watching.js";

export async function openWatch(main, name) {
  const game = await get(`/api/games/${name}`);
  const query = new URLSearchParams(location.search);
  if (game.kind === "quest") {
    query.set("tab", "watch"); // of its own page, where agents are watched
    return location.replace(`/play/${name}?${query}`);
  }
  document.title = `${t("tab_watch")}: ${game.title}`;
  const { first } = await boardModule(game); // a small board, whose whole tree can be seen
  const place = readPlace(query, game) ?? { start: first || game.example || game.start, options: {}, moves: [] };
  const start = h("input", {
    id: "watch-position",
    value: place.start,
    "aria-label": t("watch_position"),
    spellcheck: "false",
  });
  const playLink = h("a", { id: "watch-playlink" }, t("watch_play_it"));
  const here = () => {
    if (start.value.trim() !== place.start) Object.assign(place, { start: start.value.trim(), options: {}, moves: [] });
    return { start: place.start, options: place.options, moves: place.moves };
  };
  const guide = guideOf(game);
  const besideName = query.get("beside");
  const beside = game.engines.some((each) => each.name === besideName)
    ? { engine: besideName, [guide]: query.get(`beside.${guide}`) || "", seconds: 3 }
    : null;
  const watch = new Watch(game, here, watchedSettings(game), { wide: true, changed: () => showAddress(), beside });
  function showAddress() {
    const [one, other] = watch.tracks.map((each) => clean(each.settings));
    const address = writePlace(here());
    playLink.href = `/play/${game.name}?${address}`;
    const asked = new URLSearchParams(address);
    for (const key of ["engine", guide, "depth"]) if (one[key]) asked.set(key, one[key]);
    if (one.seconds) asked.set("time", one.seconds);
    if (other) asked.set("beside", other.engine);
    if (other?.[guide]) asked.set(`beside.${guide}`, other[guide]);
    history.replaceState(null, "", `${location.pathname}?${asked}`);
  }
  start.addEventListener("change", async () => {
    try {
      await post(`/api/games/${game.name}/state`, here());
      showAddress();
      watch.record();
    } catch (error) {
      toast(error.message);
    }
  });
  fill(
    main,
    h(
      "div",
      { class: "pagehead" },
      h("h1", {}, `${t("tab_watch")}: ${game.title}`),
      h("label", { class: "position" }, h("span", {}, t("watch_position")), start),
      playLink,
    ),
    watch.element,
    h("p", { class: "help" }, t("watch_text")),
  );
  showAddress();
  const asked = query.has("engine");
  watch.record().then(() => asked || quiet() || !watch.steps.length || watch.toggle()); // who asks for no search is shown one
  return { watch, game, leave: () => watch.job?.leave() };
}
