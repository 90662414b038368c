// A recorded search: its events, what was known after each, its nodes. No element of the page in here.
// The rows are those of ludion.studio.recordings.

export class Recording {
  constructor({ events, counters, layers, nodes, line, total, complete }) {
    Object.assign(this, { events, counters, layers, line, total, complete });
    this.nodes = nodes.map(([number, parent, move, first, hidden]) => ({
      number,
      parent,
      move,
      first, // the event that discovered it
      hidden, // children that were not kept
      expanded: Infinity, // the event at which its moves were tried
      cut: Infinity,
      children: [],
      depth: 0,
    }));
    for (const [index, node] of this.nodes.entries()) {
      if (node.parent < 0) continue;
      this.nodes[node.parent].children.push(index);
      node.depth = this.nodes[node.parent].depth + 1;
    }
    for (const [index, event] of events.entries()) {
      const [kind, place] = event;
      const node = this.nodes[place];
      if (kind === "expanded" || kind === "goal") node.expanded = Math.min(node.expanded, index);
      if (kind === "cut") node.cut = Math.min(node.cut, index);
    }
  }

  get thinned() {
    return this.events.length < this.total;
  }

  // One event by its names; `number` counts all events of the search, from 0.
  event(index) {
    const [kind, node, depth, value, f, h, beta, number, by] = this.events[index];
    return { kind, node, depth, value, f, h, beta, number, by };
  }

  // The last event kept that is not later than this one of the search.
  at(number) {
    let [low, high] = [0, this.events.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.events[middle][7] <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  known(index) {
    const [seen, expanded, waiting, cuts, deepest, best] = this.counters[index];
    return { seen, expanded, waiting, cuts, deepest, best };
  }

  // The moves from the start to a node, as the engines' numbers.
  path(node) {
    const path = [];
    for (let here = this.nodes[node]; here.parent >= 0; here = this.nodes[here.parent]) path.unshift(here.move);
    return path;
  }

  // Nodes expanded and cuts per depth until an event.
  perDepth(index) {
    const [expanded, cuts] = [[], []];
    for (const share of this.layers.slice(0, index + 1))
      for (const [depth, nodes, cut] of share) {
        expanded[depth] = (expanded[depth] || 0) + nodes;
        cuts[depth] = (cuts[depth] || 0) + cut;
      }
    return Array.from({ length: expanded.length }, (_, depth) => [expanded[depth] || 0, cuts[depth] || 0]);
  }
}
