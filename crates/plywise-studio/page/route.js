// Addresses: `#/tree/start.tree`, `#/tree/start.tree/node/1234`, `#/compare/a.tree/b.tree`,
// `#/analyse?game=chess&position=…&moves=e2e4,e7e5`, `#/play`, `#/home`, `#/runs`, `#/runs/best-classic`,
// `#/runs/best-classic/game/12?ply=30`, `#/together?run=one&run=other`, `#/start?job=match`. Trees and runs go by their names, so
// that an address is good after the studio was started again.

export function parseRoute(hash) {
  const [path, query = ""] = split(hash.replace(/^#\/?/, ""));
  const parts = path.split("/").map(decode);
  const [page, first, second, third] = parts;
  const asked = new URLSearchParams(query);
  if (page === "tree" && first && parts.length === 2) return { page, file: first, node: null };
  if (page === "tree" && first && second === "node" && third) return { page, file: first, node: third };
  if (page === "compare" && first && second) return { page, a: first, b: second };
  if ((page === "analyse" || page === "play") && parts.length === 1) return { page, line: parseLine(asked) };
  if (page === "runs" && parts.length === 1) return { page, run: null, game: null };
  if (page === "runs" && first && parts.length === 2) return { page, run: first, game: null };
  if (page === "runs" && first && second === "game" && isNumber(third) && parts.length === 4)
    return { page, run: first, game: Number(third), ply: parsePly(asked) };
  if (page === "together" && parts.length === 1) return { page, together: asked.getAll("run") };
  if (page === "start" && parts.length === 1) return { page, filled: [...asked] };
  if (page === "home" && parts.length === 1) return { page };
  return { page: parts[0] === "" ? "first" : "unknown" };
}

export function nodeAddress(file, node) {
  return `${fileAddress(file)}/node/${part(node)}`;
}

export function fileAddress(file) {
  return `#/tree/${part(file)}`;
}

export function compareAddress(a, b) {
  return `#/compare/${part(a)}/${part(b)}`;
}

// The page `analyse` or `play` at a position: the one that is reached from `position` by `moves`.
export function lineAddress(page, { game, position, moves }) {
  const query = new URLSearchParams({ game });
  if (position) query.set("position", position);
  if (moves.length) query.set("moves", moves.join(","));
  return `#/${page}?${query.toString().replaceAll("%2C", ",").replaceAll("%2F", "/")}`;
}

export function runAddress(run) {
  return `#/runs/${part(run)}`;
}

// Several runs in one picture.
export function togetherAddress(runs) {
  return `#/together?${new URLSearchParams(runs.map((run) => ["run", run]))}`;
}

// A form to begin a run with, filled in.
export function startAddress(filled) {
  return `#/start?${new URLSearchParams(filled)}`;
}

// A game of a run, after so many plies.
export function runGameAddress(run, number, ply = null) {
  return `${runAddress(run)}/game/${number}${ply === null ? "" : `?ply=${ply}`}`;
}

function parsePly(asked) {
  const ply = asked.get("ply");
  return isNumber(ply) ? Number(ply) : null;
}

function parseLine(asked) {
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

// Names as parts of an address. What people can read stays readable.
function part(name) {
  return encodeURIComponent(name).replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%20", "+");
}

// A link that somebody mangled must not break the page.
function decode(part) {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return part;
  }
}
