// Places in addresses: p is the start, o.NAME the options, m the moves.

// The place of an address, or null if it names none.
export function readPlace(query, game) {
  if (!query.has("p")) return null;
  const options = {};
  if (query.has("seed") && game.options.some((each) => each.name === "seed")) options.seed = query.get("seed"); // of a run: the world's, too
  for (const [name, value] of query) if (name.startsWith("o.")) options[name.slice(2)] = value;
  return { start: query.get("p"), options, moves: query.get("m") ? query.get("m").split(";") : [] };
}

export function writePlace({ start, options, moves }, more = {}) {
  const query = new URLSearchParams({ p: start });
  for (const [name, value] of Object.entries(options)) query.set(`o.${name}`, value);
  if (moves.length) query.set("m", moves.join(";"));
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.toString().replace(/%(3B|2F|3A|2C|5B|5D|28|29|7E)/g, (code) => decodeURIComponent(code)); // easier to read, and as safe
}
