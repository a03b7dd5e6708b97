// What the browser remembers for us. Storage may be forbidden; then a choice holds until the page is closed.

const held = new Map();

export function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return held.get(name) ?? null;
  }
}

export function write(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    held.set(name, value);
  }
}

// Whether a page shows its board from the second player's side.
export function isTurned(page) {
  return read(`plywise.turned.${page}`) === "1";
}

export function rememberTurned(page, isTurned) {
  write(`plywise.turned.${page}`, isTurned ? "1" : "0");
}
