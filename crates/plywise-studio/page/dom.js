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

// Opens a dialog at its beginning, with the focus on the button that closes it.
export function openDialog(dialog) {
  dialog.showModal();
  dialog.querySelector("form .button")?.focus({ preventScroll: true });
  dialog.scrollTop = 0;
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

// A table in a box that scrolls where it must; `fill` puts rows into it. A column is its `title`, and the class of its
// `cells`: figures are aligned to the right, and the cells of "name" say what their row is about. A row is its cells, texts
// or elements, or such `cells` with a `class`.
export function table(label, columns, extra = "") {
  const body = element("tbody");
  const heads = columns.map(({ title, cells = "" }) =>
    element("th", { scope: "col", class: cells.startsWith("figure") ? "figure" : null, text: title }),
  );
  const fillCell = (what, at) => {
    const { cells = null } = columns[at];
    const made = cells === "name" ? element("th", { scope: "row" }) : element("td", { class: cells });
    made.append(...[what].flat().filter((part) => part !== null && part !== undefined));
    return made;
  };
  const box = element(
    "div",
    { class: `table-box ${extra}`.trim(), tabindex: "0", role: "region", "aria-label": label },
    element("table", {}, element("thead", {}, element("tr", {}, heads)), body),
  );
  const fill = (rows) => {
    const made = rows.map((row) => (Array.isArray(row) ? { cells: row } : row));
    body.replaceChildren(...made.map((row) => element("tr", { class: row.class }, row.cells.map(fillCell))));
  };
  return { box, fill };
}
