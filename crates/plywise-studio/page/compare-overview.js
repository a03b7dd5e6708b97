// Two searches side by side, iteration by iteration and root move by root move.

import { api } from "./api.js";
import { element } from "./dom.js";
import { count, moveName, plies, shortCount, value } from "./format.js";
import { nodeAddress } from "./route.js";
import { PAGE, threadOf } from "./tree-file.js";

const MOST_MOVES = 30;

// The rows of both tables, the depth of the last iteration that both finished, or null where they share none, and who moves at
// the root and after it.
export async function overview(a, b) {
  const [one, other] = await Promise.all([iterations(a), iterations(b)]);
  const depths = [...new Set([...one.keys(), ...other.keys()])].sort((left, right) => left - right);
  const shared = depths.findLast((depth) => one.get(depth)?.end === "moves" && other.get(depth)?.end === "moves") ?? null;
  const rows = depths.map((depth) => iteration(depth, [a, one.get(depth)], [b, other.get(depth)]));
  const moves = shared === null ? { rows: [] } : await rootMoves([a, one.get(shared)], [b, other.get(shared)]);
  const mover = [...one.values(), ...other.values()][0]?.mover ?? "the player to move";
  return { rows, shared, moves: moves.rows, mover, answerer: moves.mover };
}

// The last search of each depth in the first thread.
async function iterations(file) {
  const { roots } = await api.tree(file);
  return new Map(roots.filter(({ id }) => threadOf(id) === 0).map((root) => [root.depth, root]));
}

function iteration(depth, ...sides) {
  return [
    plies(depth),
    ...sides.map(([file, root]) => root && element("a", { href: nodeAddress(file, root.id), text: value(root) })),
    ...sides.map(([, root]) => root && count(root.subtree)),
  ];
}

async function rootMoves(...sides) {
  const found = new Map();
  let mover = null;
  for (const [at, [file, root]] of sides.entries()) {
    const { children } = await api.children(file, root.id, 0, PAGE);
    for (const child of children.filter(({ number }) => number > 0)) {
      mover ??= child.mover;
      const name = moveName(child);
      const both = found.get(name) ?? [null, null];
      const before = both[at];
      // A move that is searched again counts with all its nodes; its last value is the one that stands.
      both[at] = { file, child, nodes: (before?.nodes ?? 0) + child.subtree, number: child.number };
      found.set(name, both);
    }
  }
  const all = ([one, other]) => (one?.nodes ?? 0) + (other?.nodes ?? 0);
  const sorted = [...found].sort(([, left], [, right]) => all(right) - all(left)).slice(0, MOST_MOVES);
  const rows = sorted.map(([name, both]) => [
    name,
    ...both.map((side) => side && count(side.number)),
    ...both.map((side) => side && element("a", { href: nodeAddress(side.file, side.child.id), text: value(side.child) })),
    ...both.map((side) => side && shortCount(side.nodes)),
  ]);
  return { rows, mover: mover ?? "the player to move" };
}
