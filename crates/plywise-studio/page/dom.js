// Small helpers to build and find elements.

// Makes an element. Properties that begin with `on` are listeners; `class`, `text` and `data` are what they say; the rest
// are attributes, left out where they are null or false.
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") made.className = value;
    else if (name === "text") made.textContent = value;
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function byId(id) {
  return document.getElementById(id);
}

// The mark of a node's kind: a letter on its colour, so that colour is never all there is.
export function kindMark(kind) {
  return element("span", {
    class: "kind",
    data: { kind },
    title: `${KINDS[kind]?.name ?? kind} node`,
    text: KINDS[kind]?.letter ?? "·",
  });
}

// The kinds of nodes, in the order of the legend.
export const KINDS = {
  pv: { letter: "P", name: "principal variation" },
  cut: { letter: "C", name: "cut" },
  all: { letter: "A", name: "all" },
  quiescence: { letter: "Q", name: "quiescence" },
  unknown: { letter: "·", name: "unknown" },
};

// Whether somebody asked for less motion.
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Opens a dialog with the focus on the button that closes it.
export function openDialog(dialog) {
  dialog.showModal();
  dialog.querySelector("form .button")?.focus();
}

let toastTimer = 0;

// Says something for a few seconds at the foot of the page.
export function say(text, isError = false) {
  const toast = byId("toast");
  toast.textContent = text;
  toast.dataset.error = isError;
  toast.dataset.shown = true;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => delete toast.dataset.shown, Math.max(4000, text.length * 70));
}
