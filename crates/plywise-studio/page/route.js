// Addresses: `#/tree/0`, `#/tree/0/node/1234`, `#/compare/0/1`.

export function parseRoute(hash) {
  const parts = hash.replace(/^#\/?/, "").split("/").map(decode);
  const [page, first, second, third] = parts;
  if (page === "tree" && isNumber(first) && parts.length === 2) return { page, file: Number(first), node: null };
  if (page === "tree" && isNumber(first) && second === "node" && third) return { page, file: Number(first), node: third };
  if (page === "compare" && isNumber(first) && isNumber(second)) return { page, a: Number(first), b: Number(second) };
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
