// Tidy drawing of trees in linear time: the algorithm of Buchheim, Jünger and Leipert, "Improving Walker's Algorithm to
// Run in Linear Time" (Graph Drawing 2002), with the paper's names.
//
// Promise: nodes of one depth are at least 1 apart and in the order of the tree; a parent stands in the middle above its
// first and last child; equal subtrees are drawn alike. Width is in units of 1.

// `children[v]` lists the children of node v. Gives x for every node of the tree under `root`.
export function tidyTree(children, root = 0) {
  const size = children.length;
  const rows = () => new Float64Array(size);
  const [x, prelim, mod, change, shift] = [rows(), rows(), rows(), rows(), rows()];
  const thread = new Int32Array(size).fill(-1);
  const ancestor = Int32Array.from({ length: size }, (_, v) => v);
  const parent = new Int32Array(size).fill(-1);
  const number = new Int32Array(size); // among its siblings
  for (const [v, below] of children.entries())
    for (const [place, w] of below.entries()) {
      parent[w] = v;
      number[w] = place;
    }
  const sibling = (v, place) => (parent[v] < 0 ? -1 : (children[parent[v]][place] ?? -1));
  const nextLeft = (v) => children[v][0] ?? thread[v];
  const nextRight = (v) => children[v].at(-1) ?? thread[v];

  function moveSubtree(left, right, by) {
    const subtrees = number[right] - number[left];
    change[right] -= by / subtrees;
    shift[right] += by;
    change[left] += by / subtrees;
    prelim[right] += by;
    mod[right] += by;
  }

  function executeShifts(v) {
    let [shifted, changed] = [0, 0];
    for (const w of children[v].toReversed()) {
      prelim[w] += shifted;
      mod[w] += shifted;
      changed += change[w];
      shifted += shift[w] + changed;
    }
  }

  function apportion(v, defaultAncestor) {
    const left = sibling(v, number[v] - 1);
    if (left < 0) return defaultAncestor;
    // inside and outside, right (plus) and left (minus) contour, with the sums of their mods
    let [vip, vop, vim, vom] = [v, v, left, sibling(v, 0)];
    let [sip, sop, sim, som] = [mod[vip], mod[vop], mod[vim], mod[vom]];
    while (nextRight(vim) >= 0 && nextLeft(vip) >= 0) {
      vim = nextRight(vim);
      vip = nextLeft(vip);
      vom = nextLeft(vom);
      vop = nextRight(vop);
      ancestor[vop] = v;
      const by = prelim[vim] + sim - (prelim[vip] + sip) + 1;
      if (by > 0) {
        moveSubtree(parent[ancestor[vim]] === parent[v] ? ancestor[vim] : defaultAncestor, v, by);
        sip += by;
        sop += by;
      }
      sim += mod[vim];
      sip += mod[vip];
      som += mod[vom];
      sop += mod[vop];
    }
    if (nextRight(vim) >= 0 && nextRight(vop) < 0) {
      thread[vop] = nextRight(vim);
      mod[vop] += sim - sop;
    }
    if (nextLeft(vip) >= 0 && nextLeft(vom) < 0) {
      thread[vom] = nextLeft(vip);
      mod[vom] += sip - som;
      return v;
    }
    return defaultAncestor;
  }

  function firstWalk(v) {
    const left = sibling(v, number[v] - 1);
    const below = children[v];
    let middle = 0;
    if (below.length) {
      let defaultAncestor = below[0];
      for (const w of below) {
        firstWalk(w);
        defaultAncestor = apportion(w, defaultAncestor);
      }
      executeShifts(v);
      middle = (prelim[below[0]] + prelim[below.at(-1)]) / 2;
    }
    prelim[v] = left < 0 ? middle : prelim[left] + 1;
    mod[v] = left < 0 ? 0 : prelim[v] - middle;
  }

  function secondWalk(v, sum) {
    x[v] = prelim[v] + sum;
    for (const w of children[v]) secondWalk(w, sum + mod[v]);
  }

  firstWalk(root);
  secondWalk(root, -prelim[root]);
  return x;
}
