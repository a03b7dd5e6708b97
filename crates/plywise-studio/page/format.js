// How numbers and names are written for people.

const WHOLE = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const FEW = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const INFINITE = 1_000_000;
const TIMES = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
];

export function count(number) {
  return WHOLE.format(number);
}

// A count in a few characters: 1.23M.
export function shortCount(number) {
  return number < 10_000 ? WHOLE.format(number) : SHORT.format(number);
}

export function bytes(number) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (number >= 1000 && unit < units.length - 1) {
    number /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? number : number.toPrecision(3)} ${units[unit]}`;
}

export function percent(share) {
  const number = share * 100;
  if (number >= 99.95 || number === 0) return `${number.toFixed(0)} %`;
  if (number < 0.01) return "< 0.01 %";
  return `${number.toFixed(number < 1 ? 2 : 1)} %`;
}

// A score of a node, as its game writes scores; the bounds of an open window are infinite.
export function score(node, name) {
  const value = node[name];
  if (value === null || value === undefined) return "–";
  if (value > INFINITE) return "∞";
  if (value < -INFINITE) return "−∞";
  return minus(node.written[name]);
}

// The window with which a node was entered.
export function window(node) {
  return `(${score(node, "alpha")}, ${score(node, "beta")})`;
}

// The window that mate distance or the table narrowed it to; null where they did not.
export function narrowedWindow(node) {
  return node.narrowed ? `(${score(node, "narrow_alpha")}, ${score(node, "narrow_beta")})` : null;
}

export function plies(number) {
  return minus(Number.isInteger(number) ? String(number) : number.toFixed(2));
}

// The same with its noun.
export function inPlies(number) {
  return `${plies(number)} ${Math.abs(number) === 1 ? "ply" : "plies"}`;
}

// `null_move` as people read it; nothing for what is not known.
export function words(name) {
  return (name ?? "").replaceAll("_", " ");
}

const BOUND_SIGNS = { lower: "≥ ", upper: "≤ " };

// A value with the sign of its bound; an exact one has none.
export function value(node) {
  if (node.value === null || node.value === undefined) return "–";
  return `${BOUND_SIGNS[node.bound] ?? ""}${minus(node.shown)}${node.uncertain ? " ?" : ""}`;
}

// The same with whose score it is: in a tree, that of the player to move.
export function valueFor(node) {
  return node.value === null || !node.mover ? value(node) : `${value(node)} for ${node.mover}`;
}

// A score that a player tells as it sees it, as the first player sees it.
export function forFirst(text, isSecond) {
  if (!isSecond) return text;
  const pairs = { "+": "-", "-": "+", "−": "+", "#-": "#", "#": "#-", "win ": "loss ", "loss ": "win " };
  return text.replace(/^(#-?|[+\-−]|win |loss )/, (sign) => pairs[sign]);
}

// A score as a number. A game that is decided has none, but somebody who wins.
export function readScore(text) {
  if (!text) return { value: null, end: 0 };
  const plain = text.replace("−", "-");
  if (/win|loss|mate|#|M/.test(plain)) return { value: null, end: /loss|-/.test(plain) ? -1 : 1 };
  const value = Number.parseFloat(plain);
  return { value: Number.isFinite(value) ? value : null, end: 0 };
}

// What a node is called in a list: its move, or what stands for it.
export function moveName(node) {
  if (node.move === "" && node.ply === 0) return `Depth ${plies(node.depth)}`;
  if (node.move === "--") return "pass";
  if (node.move === "" || node.move === "(same)") return "same position";
  return node.move;
}

// Moves with their numbers would need the game; a plain line is right for all of them.
export function line(path) {
  return path.length ? path.map((move) => (move === "--" ? "pass" : move)).join(" ") : "the root";
}

// Whether a node is a move of the node above, rather than a technique's probe or a root.
export function isMove(node) {
  return ["move", "step", "full_price", "open_window"].includes(node.purpose);
}

// A number of any size in a few digits: 0.0312, 2.5, 1,204; or with so many decimals.
export function number(value, decimals = null) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (decimals !== null) {
    const places = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return minus(value.toLocaleString("en", places));
  }
  if (Number.isInteger(value)) return minus(WHOLE.format(value));
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e9) return minus(value.toPrecision(3));
  return minus(size >= 1000 ? WHOLE.format(Math.round(value)) : FEW.format(value));
}

// A time in the two units that matter: 12 s, 3 min 20 s, 4 h 10 min, 2 d 3 h.
export function duration(seconds) {
  if (seconds < 1) return "less than 1 s";
  let rest = Math.round(seconds);
  const first = TIMES.findIndex(([, size]) => rest >= size);
  const said = [];
  for (const [name, size] of TIMES.slice(first, first + 2)) {
    if (rest >= size) said.push(`${Math.floor(rest / size)} ${name}`);
    rest %= size;
  }
  return said.join(" ");
}

// How long ago a moment was, in seconds since 1970.
export function ago(moment) {
  const passed = Date.now() / 1000 - moment;
  if (passed < 5) return "just now";
  const [name, size] = TIMES.find(([, each]) => passed >= each);
  return `${Math.floor(passed / size)} ${name} ago`;
}

// How fast something goes, in the unit of time that makes it a number one can picture.
export function pace(perSecond, what) {
  const [name, size] = TIMES.findLast(([, each]) => perSecond * each >= 1) ?? TIMES[0];
  return `${number(Number((perSecond * size).toPrecision(3)))} ${what}/${name}`;
}

export function minus(text) {
  return String(text).replace(/^-/, "−");
}
