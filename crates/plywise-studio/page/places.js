// The places of a board: where its picture draws them, what stands on them, and how moves go over them.

// Round places nearly touch, so that little lies between them.
const ROUND = 0.94;

// A picture of the server: its root, its size, its places by name, row by row from the top, and the pieces that stand on
// them. A picture may have no places.
export function readPicture(svg) {
  const root = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  const [left, top, width, height] = (root.getAttribute("viewBox") ?? "0 0 1 1").split(/[\s,]+/).map(Number);
  const drawn = [...root.querySelectorAll("rect[data-place], circle[data-place]")].map((shape) => {
    const number = (name) => Number(shape.getAttribute(name));
    const name = shape.dataset.place;
    if (shape.localName === "circle") return { name, shape, isRound: true, x: number("cx") - left, y: number("cy") - top };
    const [wide, high] = [number("width"), number("height")];
    return { name, shape, isRound: false, x: number("x") - left + wide / 2, y: number("y") - top + high / 2, wide, high };
  });
  drawn.sort((one, other) => Math.round(one.y - other.y) || one.x - other.x);
  const round = drawn.filter(({ isRound }) => isRound);
  const size = ROUND * closest(round);
  for (const place of round) Object.assign(place, { wide: size, high: size });
  const places = new Map(drawn.map((place) => [place.name, place]));
  const pieces = new Map(
    [...root.querySelectorAll("[data-piece]")].map((drawn) => [drawn.dataset.on, { name: drawn.dataset.piece, drawn }]),
  );
  return { root, width, height, places, pieces };
}

function closest(places) {
  let least = Infinity;
  places.forEach((one, at) => {
    for (const other of places.slice(at + 1)) least = Math.min(least, Math.hypot(one.x - other.x, one.y - other.y));
  });
  return least;
}

// The place that an arrow leads to, if there is one. `aim` is a point on the line that the arrows have followed so far: it
// keeps them from drifting where rows are shifted against each other.
export function neighbour(places, from, [right, down], aim) {
  const here = places.get(from);
  const seen = [...places.values()].map(({ name, x, y }) => ({
    name,
    along: (x - here.x) * right + (y - here.y) * down,
    across: Math.abs((x - here.x) * down + (y - here.y) * right),
    off: Math.abs((x - aim.x) * down + (y - aim.y) * right),
  }));
  const ahead = seen.filter(({ along, across }) => along > 1 && across <= along);
  ahead.sort((one, other) => Math.round(one.along - other.along) || one.off - other.off);
  return ahead[0]?.name ?? null;
}

// The places that an engine move names: `e2e4` goes from e2 to e4, `f5` is only put there, and a pass names none.
export function placesOf(engine) {
  return /^(?:[a-z]\d+)+[a-z]?$/.test(engine) ? engine.match(/[a-z]\d+/g) : [];
}

// What a move leaves after its places: the `q` of `e7e8q`.
export function restOf(engine) {
  return /\d([a-z])$/.exec(engine)?.[1] ?? "";
}

// The legal moves, each with its ways: the places that are clicked one after the other to play it. Most moves have one.
export function withWays(moves, pieces, isHexagon) {
  const known = moves.map((move) => ({ ...move, rest: restOf(move.engine), path: placesOf(move.engine) }));
  if (!isHexagon) return known.map((move) => ({ ...move, ways: move.path.length ? [move.path] : [] }));
  const sideways = known.filter(({ path }) => path.length === 3).flatMap(({ path }) => [path, fromOtherEnd(path)]);
  return known.map((move) => ({ ...move, ways: waysOnHexagon(move.path, pieces, sideways) }));
}

// Abalone: a line moves sideways by its ends and where the first of them goes. A line that pushes ahead is its last marble
// and the first cell before it, or the marble ahead. Where that marble could also be the end of a line that moves sideways,
// it has to be clicked twice.
function waysOnHexagon(path, pieces, sideways) {
  const [from, to] = path;
  if (path.length === 3) return [path, fromOtherEnd(path)];
  if (path.length < 2 || !pieces.has(from) || nameOn(pieces, to) !== nameOn(pieces, from)) return [path];
  const ends = new Set(sideways.filter(([first]) => first === from).map(([, second]) => second));
  const line = [];
  let front = to;
  while (nameOn(pieces, front) === nameOn(pieces, from)) {
    line.push(front);
    front = shifted(front, from, to);
  }
  const ways = [[from, front], ends.has(to) ? [from, to, to] : [from, to]];
  return ways.concat(line.filter((marble) => ends.has(marble)).map((marble) => [from, marble, front]));
}

function nameOn(pieces, place) {
  return pieces.get(place)?.name;
}

function fromOtherEnd([first, second, to]) {
  return [second, first, shifted(second, first, to)];
}

// The cell that lies from `cell` as `to` lies from `from`.
function shifted(cell, from, to) {
  const row = cell.charCodeAt(0) + to.charCodeAt(0) - from.charCodeAt(0);
  return `${String.fromCharCode(row)}${Number(cell.slice(1)) + Number(to.slice(1)) - Number(from.slice(1))}`;
}
