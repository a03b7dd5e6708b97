// Addresses: `#/tree/0`, `#/tree/0/node/1234`, `#/compare/0/1`, `#/analyse?game=chess&position=…&moves=e2e4,e7e5`, `#/play`,
// `#/home`, `#/runs`, `#/runs/0`, `#/runs/0/game/12?ply=30`.

export function parseRoute(hash) {
  const [path, query = ""] = split(hash.replace(/^#\/?/, ""));
  const parts = path.split("/").map(decode);
  const [page, first, second, third] = parts;
  if (page === "tree" && isNumber(first) && parts.length === 2) return { page, file: Number(first), node: null };
  if (page === "tree" && isNumber(first) && second === "node" && third)
    return { page, file: Number(first), node: third };
  if (page === "compare" && isNumber(first) && isNumber(second)) return { page, a: Number(first), b: Number(second) };
  if ((page === "analyse" || page === "play") && parts.length === 1) return { page, line: parseLine(query) };
  if (page === "runs" && parts.length === 1) return { page, run: null, game: null };
  if (page === "runs" && isNumber(first) && parts.length === 2) return { page, run: Number(first), game: null };
  if (page === "runs" && isNumber(first) && second === "game" && isNumber(third) && parts.length === 4)
    return { page, run: Number(first), game: Number(third), ply: parsePly(query) };
  if (page === "home" && parts.length === 1) return { page };
  return { page: parts[0] === "" ? "start" : "unknown" };
}

export function nodeAddress(file, node) {
  return `#/tree/${file}/node/${encodeURIComponent(node).replace("%3A", ":")}`;
}

export function fileAddress(file) {
  return `#/tree/${file}`;
}

export function compareAddress(a, b) {
  return `#/compare/${a}/${b}`;
}

// The page `analyse` or `play` at a position: the one that is reached from `position` by `moves`.
export function lineAddress(page, { game, position, moves }) {
  const query = new URLSearchParams({ game });
  if (position) query.set("position", position);
  if (moves.length) query.set("moves", moves.join(","));
  return `#/${page}?${query.toString().replaceAll("%2C", ",").replaceAll("%2F", "/")}`;
}

export function runAddress(run) {
  return `#/runs/${run}`;
}

// A game of a run, after so many plies.
export function runGameAddress(run, number, ply = null) {
  return `#/runs/${run}/game/${number}${ply === null ? "" : `?ply=${ply}`}`;
}

function parsePly(query) {
  const ply = new URLSearchParams(query).get("ply");
  return isNumber(ply) ? Number(ply) : null;
}

function parseLine(query) {
  const asked = new URLSearchParams(query);
  if (!asked.has("game")) return null;
  const moves = asked.get("moves") ?? "";
  return { game: asked.get("game"), position: asked.get("position") ?? "", moves: moves ? moves.split(",") : [] };
}

// The path and the query of an address. Positions have slashes and spaces, but no path does.
function split(text) {
  const at = text.indexOf("?");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function isNumber(text) {
  return /^\d+$/.test(text ?? "");
}

// A link that somebody mangled must not break the page.
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
