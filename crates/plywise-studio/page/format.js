// How numbers and names are written for people.

const WHOLE = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const INFINITE = 1_000_000;

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

// A score in the evaluation's own unit, with a proper minus; the bounds of an open window are infinite.
export function score(value) {
  if (value === null || value === undefined) return "–";
  if (value > INFINITE) return "∞";
  if (value < -INFINITE) return "−∞";
  return minus(WHOLE.format(value));
}

export function window(node) {
  return `(${score(node.alpha)}, ${score(node.beta)})`;
}

export function plies(number) {
  return minus(Number.isInteger(number) ? String(number) : number.toFixed(2));
}

// `null_move` as people read it.
export function words(name) {
  return name.replaceAll("_", " ");
}

const BOUND_SIGNS = { lower: "≥ ", upper: "≤ " };

// A value with the sign of its bound; an exact one has none.
export function value(node) {
  if (node.value === null || node.value === undefined) return "–";
  return `${BOUND_SIGNS[node.bound] ?? ""}${minus(node.shown)}${node.uncertain ? " ?" : ""}`;
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

function minus(text) {
  return String(text).replace(/^-/, "−");
}
