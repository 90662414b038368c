// The graph of a review: bands of win, draw and loss with their distance for duels, moves to go for puzzles, risks or steps
// to go for quests. A press on a column goes to that position.

import { svg } from "./dom.js";
import { t } from "./strings.js";

const [WIDTH, HEIGHT, LEFT] = [340, 132, 40];
const BAND = HEIGHT / 3;

export function reviewGraph(review, known) {
  const { page } = review;
  const last = known.of - 1;
  const wide = (WIDTH - LEFT) / Math.max(1, known.of);
  const x = (ply) => LEFT + wide * ply;
  const standings = [...known.standings.values()].sort((one, other) => one.ply - other.ply);
  const draw = page.duel
    ? duel
    : page.quest && standings.some((each) => each.outcome !== undefined)
      ? steps
      : page.quest
        ? risks
        : distances;
  const judged = new Map((known.review?.moves ?? []).map((each) => [each.number, each]));
  const columns = standings.map((each) => {
    const column = svg(
      "g",
      { class: `column${each.ply === page.session.cursor ? " current" : ""}` },
      svg("title", {}, review.words(each)),
      svg("rect", { class: "hit", x: x(each.ply), y: 0, width: wide, height: HEIGHT }),
      draw.column(each, x(each.ply), wide, { yours: review.yours, standings, last }),
    );
    const move = judged.get(each.ply);
    if (["inaccuracy", "mistake", "blunder"].includes(move?.verdict))
      column.append(svg("text", { class: `sign ${move.verdict}`, x: x(each.ply) + wide / 2, y: 11 }, move.sign));
    column.addEventListener("click", () => page.jump(each.ply));
    return column;
  });
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT + 2}`,
      class: "review-graph",
      id: "review-graph",
      role: "img",
      "aria-label": t(`review_graph_${draw.title}`, { who: page.duel ? review.name(review.yours) : "" }),
    },
    svg(
      "defs",
      {},
      svg(
        "pattern",
        { id: "unproved", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        svg("rect", { width: 2, height: 5, class: "stripe" }),
      ),
    ),
    draw.back?.(standings) ?? [],
    columns,
  );
}

// Three bands. Within its band a proved value stands the farther out, the sooner the end comes; what is not proved stands
// where the expected score is, and is hatched.
const duel = {
  title: "duel",
  back: () => [
    ...["win", "draw", "loss"].map((name, row) =>
      svg("text", { class: "band", x: LEFT - 5, y: BAND * (row + 0.5) }, t(`answers.sign_${name}`)),
    ),
    ...[1, 2].map((row) => svg("line", { class: "axis", x1: LEFT, x2: WIDTH, y1: BAND * row, y2: BAND * row })),
  ],
  column({ outcome, distance, expected }, x, wide, { yours }) {
    const sign = yours ? -1 : 1;
    const share = (yours ? 100 - expected : expected) / 100;
    let value = (share - 0.5) * 2;
    if (outcome === 0) value = 0;
    else if (outcome) value = sign * outcome * (1 / 3 + 2 / 3 / (1 + (distance ?? 8) / 8));
    const y = HEIGHT / 2 - (value * HEIGHT) / 2;
    const [top, high] = [Math.min(y, HEIGHT / 2), Math.max(3, Math.abs(y - HEIGHT / 2))];
    const kind = outcome === undefined ? "unproved" : value > 0 ? "win" : value < 0 ? "loss" : "draw";
    const place = { x: x + wide * 0.08, y: top - (value ? 0 : 1.5), width: wide * 0.84, height: high };
    return [svg("rect", { class: kind, fill: kind === "unproved" ? "url(#unproved)" : null, ...place })];
  },
};

const bar = (kind, x, wide, share) => {
  const high = Math.max(2, (HEIGHT - 16) * share);
  return svg("rect", { class: kind, x: x + wide * 0.08, y: HEIGHT - high, width: wide * 0.84, height: high });
};

// Moves to go: each column one lower than the one before is a move along a shortest path.
const distances = {
  title: "puzzle",
  back: (standings) => scale(Math.max(1, ...standings.map((each) => each.distance ?? 0))),
  column({ distance }, x, wide, { standings }) {
    const most = Math.max(1, ...standings.map((each) => each.distance ?? 0));
    return distance === undefined ? [] : [bar("draw", x, wide, distance / most)];
  },
};

// Steps that the agent still needs; a cross where it does not win any more.
const steps = {
  title: "steps",
  back: (standings) => scale(Math.max(1, ...standings.map((each) => each.distance ?? 0))),
  column({ distance }, x, wide, { standings }) {
    const most = Math.max(1, ...standings.map((each) => each.distance ?? 0));
    if (distance !== undefined) return [bar("win", x, Math.max(wide, 3), distance / most)];
    return [bar("loss", x, Math.max(wide, 3), 1)];
  },
};

// The risk that was taken, and over it in outline what could not be avoided.
const risks = {
  title: "risk",
  back: () => scale(100, " %"),
  column: ({ expected, least }, x, wide) =>
    expected
      ? [bar("loss", x, Math.max(wide, 3), expected / 100), bar("least", x, Math.max(wide, 3), least / 100)]
      : [],
};

const scale = (most, unit = "") => [
  svg("text", { class: "band", x: LEFT - 5, y: 16 }, `${most}${unit}`),
  svg("text", { class: "band", x: LEFT - 5, y: HEIGHT - 5 }, "0"),
  svg("line", { class: "axis", x1: LEFT, x2: WIDTH, y1: HEIGHT, y2: HEIGHT }),
];
