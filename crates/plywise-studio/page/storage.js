// What the browser remembers for us. Storage may be forbidden; then a choice holds until the page is closed.

export function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function write(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Nothing is remembered.
  }
}
