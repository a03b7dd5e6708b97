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

// How long a page that is loaded again waits for what it held before.
const RELOAD_MS = 1000;
const MOST_PAGES = 100;

// The first number that no other page holds under this name. It is held until the page is closed, and taken again when
// the page is loaded again. Where pages cannot know of each other, all share 0.
export async function ownNumber(name) {
  if (!navigator.locks) return 0;
  const before = readOwn(name);
  if (before !== null && (await hold(`${name}.${before}`, { signal: AbortSignal.timeout(RELOAD_MS) }))) return before;
  for (let number = 0; number < MOST_PAGES; number += 1) {
    if (await hold(`${name}.${number}`, { ifAvailable: true })) {
      writeOwn(name, number);
      return number;
    }
  }
  return 0;
}

// Takes a lock for as long as the page lives; false where it cannot be had.
function hold(name, options) {
  return new Promise((settle) => {
    const take = (lock) => {
      settle(lock !== null);
      return lock && new Promise(() => {});
    };
    navigator.locks.request(name, options, take).catch(() => settle(false));
  });
}

// What this page alone remembers, also when it is loaded again.
function readOwn(name) {
  try {
    const text = sessionStorage.getItem(name);
    return text === null ? null : Number(text);
  } catch {
    return null;
  }
}

function writeOwn(name, number) {
  try {
    sessionStorage.setItem(name, number);
  } catch {
    // Then it takes the first free one when it is loaded again.
  }
}

// Whether a page shows its board from the second player's side.
export function isTurned(page) {
  return read(`plywise.turned.${page}`) === "1";
}

export function rememberTurned(page, isTurned) {
  write(`plywise.turned.${page}`, isTurned ? "1" : "0");
}
