// The outline: a tree of which only the visible rows exist. Rows have one height; children come in pages when they are
// scrolled to.

import { element, kindMark, KINDS } from "./dom.js";
import { inPlies, isMove, moveName, percent, plies, count, shortCount, value, words } from "./format.js";
import { isBelow, isSamePlace, OutlineModel, placeKey } from "./outline-model.js";
import { PAGE } from "./tree-file.js";

// Browsers cannot make an element arbitrarily high. Beyond this, the scroll bar is a scale.
const HIGHEST = 8_000_000;
// Rows that are kept ready above and below the visible ones.
const SPARE = 8;
// Beyond this level, rows are indented less.
const DEEP = 12;
const LOAD_AFTER = 30;

export class Outline {
  // `onSelect(node, by)` is told what was selected, and whether by "key" or "mouse"; `onError(error)` what failed.
  constructor(box, { onSelect, onError }) {
    this.box = box;
    this.onSelect = onSelect;
    this.onError = onError;
    this.file = null;
    this.model = null;
    this.cursor = null;
    // The cursor stands on a row that is not loaded yet.
    this.isWaiting = false;
    this.marked = { hits: new Set(), pv: new Set() };
    this.opening = new Set();
    this.shown = new Map();
    this.pool = [];
    this.revealing = 0;
    this.rowHeight = 26;
    this.height = 0;

    this.space = element("div", {
      class: "outline-space",
      role: "tree",
      "aria-label": "Searched nodes, in the search's order",
    });
    box.append(this.space);
    box.addEventListener("scroll", () => this.renderSoon(), { passive: true });
    this.space.addEventListener("keydown", (event) => this.key(event));
    this.space.addEventListener("mousedown", (event) => event.target.closest(".twisty") && event.preventDefault());
    this.space.addEventListener("click", (event) => this.click(event));
    this.space.addEventListener("dblclick", (event) => this.doubleClick(event));
    new ResizeObserver(() => this.measure()).observe(box);
  }

  // Shows a root of a file, open.
  async setRoot(file, root) {
    if (this.file === file && this.model?.root.id === root.id) return;
    this.file = file;
    this.model = new OutlineModel(root);
    this.cursor = { branch: this.model.top, index: 0 };
    this.isWaiting = false;
    this.opening.clear();
    this.box.scrollTop = 0;
    this.render();
    await this.open(this.cursor);
  }

  clear() {
    this.file = null;
    this.model = null;
    this.cursor = null;
    this.render();
  }

  // Marks nodes by their ids; `what` is "hits" or "pv".
  mark(what, ids) {
    this.marked[what] = new Set(ids);
    for (const row of this.shown.values()) row.node = undefined;
    this.render();
  }

  // Opens all nodes of a line, from its root, and selects the last without telling. False where another came between.
  async reveal(file, line) {
    const turn = (this.revealing += 1);
    await this.setRoot(file, line[0]);
    let place = { branch: this.model.top, index: 0 };
    for (const step of line.slice(1)) {
      const branch = await this.open(place);
      const index = await file.indexOf(branch.node.id, step.id);
      if (turn !== this.revealing || index < 0) return false;
      place = { branch, index };
    }
    if (turn !== this.revealing) return false;
    this.cursor = place;
    this.isWaiting = false;
    this.scrollTo(place, true);
    this.render();
    return true;
  }

  focus() {
    this.render();
    this.focusCursor();
  }

  // ---- places and nodes

  nodeAt({ branch, index }) {
    if (!branch.node) return this.model.root;
    return this.file.pageAtHand(branch.node.id, Math.floor(index / PAGE))?.children[index % PAGE];
  }

  // Opens a node once its first children are there, so that no empty rows flash up.
  async open(place) {
    const { model, file } = this;
    const known = place.branch.open.get(place.index);
    const node = this.nodeAt(place);
    if (known || !node?.has_children) return known;
    const key = placeKey(place);
    this.opening.add(key);
    this.renderSoon();
    try {
      const { total } = await file.page(node.id, 0);
      return this.keepSteady(() => model.expand(place, node, total));
    } finally {
      this.opening.delete(key);
      this.renderSoon();
    }
  }

  close(place) {
    if (this.cursor && isBelow(this.cursor, place)) {
      this.cursor = place;
      this.select("key");
    }
    this.keepSteady(() => this.model.collapse(place));
    this.scrollTo(place);
    this.renderSoon();
  }

  toggle(place) {
    if (this.model.isOpen(place)) this.close(place);
    else this.open(place).catch(this.onError);
  }

  // Changes the rows; what is on the screen stays where it is when rows above it come or go.
  keepSteady(change) {
    const anchor =
      this.model.rows > 0 ? this.model.locate(Math.min(Math.floor(this.firstRow()), this.model.rows - 1)) : null;
    const before = anchor && this.model.rowOf(anchor);
    const result = change();
    const moved = anchor ? this.model.rowOf(anchor) - before : 0;
    this.resize();
    if (moved !== 0) this.scrollToRow(this.firstRow() + moved);
    return result;
  }

  // ---- geometry

  measure() {
    this.rowHeight = parseFloat(getComputedStyle(this.box).getPropertyValue("--row")) || 26;
    const wasHidden = this.height === 0;
    this.height = this.box.clientHeight;
    // The heads of the columns leave the same room for the scroll bar.
    this.box.parentElement.style.setProperty("--scrollbar", `${this.box.offsetWidth - this.box.clientWidth}px`);
    if (wasHidden && this.height > 0 && this.cursor) this.scrollTo(this.cursor, true);
    this.render();
  }

  resize() {
    const wanted = Math.min((this.model?.rows ?? 0) * this.rowHeight, HIGHEST);
    if (this.spaceHeight !== wanted) {
      this.spaceHeight = wanted;
      this.space.style.height = `${wanted}px`;
    }
  }

  get visibleRows() {
    return this.height / this.rowHeight;
  }

  // The row at the upper edge, with its fraction.
  firstRow() {
    const rows = this.model?.rows ?? 0;
    if (rows * this.rowHeight <= HIGHEST) return this.box.scrollTop / this.rowHeight;
    const range = this.spaceHeight - this.height;
    return range > 0 ? (this.box.scrollTop / range) * (rows - this.visibleRows) : 0;
  }

  scrollToRow(row) {
    const rows = this.model.rows;
    row = Math.max(0, Math.min(row, rows - this.visibleRows));
    if (rows * this.rowHeight <= HIGHEST) this.box.scrollTop = row * this.rowHeight;
    else this.box.scrollTop = (row / (rows - this.visibleRows)) * (this.spaceHeight - this.height);
  }

  // Scrolls only as far as it must, or to the middle where `centre` is set and the row is out of sight.
  scrollTo(place, centre = false) {
    this.resize();
    const row = this.model.rowOf(place);
    const first = this.firstRow();
    if (row >= first && row + 1 <= first + this.visibleRows) return;
    if (centre) this.scrollToRow(row - this.visibleRows / 3);
    else this.scrollToRow(row < first ? row : row + 1 - this.visibleRows);
  }

  // ---- drawing

  renderSoon() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.render();
    });
  }

  render() {
    if (!this.height) return;
    this.resize();
    const rows = this.model?.rows ?? 0;
    const first = this.firstRow();
    const top = this.box.scrollTop;
    const begin = Math.max(0, Math.floor(first) - SPARE);
    const end = Math.min(rows, Math.ceil(first + this.visibleRows) + SPARE);

    const wanted = new Map();
    for (let row = begin; row < end; row += 1) {
      const place = this.model.locate(row);
      wanted.set(placeKey(place), { place, row });
    }
    // The row with the focus stays, however far it is scrolled away.
    if (this.cursor) {
      const key = placeKey(this.cursor);
      if (!wanted.has(key)) wanted.set(key, { place: this.cursor, row: this.model.rowOf(this.cursor) });
    }
    const hadFocus = this.space.contains(document.activeElement);
    for (const [key, row] of this.shown) {
      if (wanted.has(key)) continue;
      this.shown.delete(key);
      this.pool.push(row);
    }
    let isMissing = false;
    for (const [key, { place, row: number }] of wanted) {
      let row = this.shown.get(key);
      if (!row) {
        row = this.pool.pop() ?? new Row(this.space);
        row.node = undefined;
        this.shown.set(key, row);
      }
      const node = this.nodeAt(place);
      isMissing ||= !node;
      row.place = place;
      row.move(top + (number - first) * this.rowHeight);
      row.draw(node, this.situation(key, place, node));
    }
    for (const row of this.pool) row.hide();
    if (hadFocus) this.focusCursor();
    if (isMissing) this.loadSoon();
  }

  situation(key, place, node) {
    return {
      place,
      parent: place.branch.node,
      isOpen: this.model.isOpen(place),
      isOpening: this.opening.has(key),
      isSelected: isSamePlace(place, this.cursor),
      isHit: node && this.marked.hits.has(node.id),
      isPv: node && this.marked.pv.has(node.id),
    };
  }

  // Loads the pages that are in sight once scrolling rests for a moment.
  loadSoon() {
    if (this.loading) return;
    this.loading = setTimeout(() => {
      this.loading = 0;
      const missing = new Map();
      for (const { place } of this.shown.values()) {
        if (this.nodeAt(place)) continue;
        const page = Math.floor(place.index / PAGE);
        missing.set(`${place.branch.serial}/${page}`, [place.branch.node.id, page]);
      }
      for (const [id, page] of missing.values()) {
        this.file.page(id, page).then(() => this.arrived(), this.onError);
      }
    }, LOAD_AFTER);
  }

  arrived() {
    this.renderSoon();
    if (this.isWaiting && this.cursor && this.nodeAt(this.cursor)) {
      this.isWaiting = false;
      this.select("key");
    }
  }

  focusCursor() {
    const row = this.cursor && this.shown.get(placeKey(this.cursor));
    if (row && document.activeElement !== row.box) row.box.focus({ preventScroll: true });
  }

  // ---- what people do

  select(by) {
    const node = this.nodeAt(this.cursor);
    this.isWaiting = !node;
    this.renderSoon();
    if (node) this.onSelect(node, by);
  }

  moveTo(row) {
    if (!this.model) return;
    this.revealing += 1;
    this.cursor = this.model.locate(Math.max(0, Math.min(row, this.model.rows - 1)));
    this.scrollTo(this.cursor);
    this.render();
    this.focusCursor();
    this.select("key");
  }

  key(event) {
    if (!this.cursor || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.model.rowOf(this.cursor);
    const page = Math.max(1, Math.floor(this.visibleRows) - 1);
    const steps = {
      ArrowDown: row + 1,
      ArrowUp: row - 1,
      PageDown: row + page,
      PageUp: row - page,
      Home: 0,
      End: this.model.rows - 1,
    };
    if (event.key in steps) this.moveTo(steps[event.key]);
    else if (event.key === "ArrowRight") this.right(row);
    else if (event.key === "ArrowLeft") this.left();
    else if (event.key === "Enter" || event.key === " ") this.toggle(this.cursor);
    else return;
    event.preventDefault();
  }

  right(row) {
    if (this.model.isOpen(this.cursor)) this.moveTo(row + 1);
    else this.open(this.cursor).catch(this.onError);
  }

  left() {
    const parent = this.model.parentOf(this.cursor);
    if (this.model.isOpen(this.cursor)) this.close(this.cursor);
    else if (parent) this.moveTo(this.model.rowOf(parent));
  }

  placeOf(event) {
    const box = event.target.closest("[role=treeitem]");
    return box && [...this.shown.values()].find((row) => row.box === box)?.place;
  }

  click(event) {
    const place = this.placeOf(event);
    if (!place) return;
    if (event.target.closest(".twisty") && this.nodeAt(place)?.has_children) {
      this.toggle(place);
      return;
    }
    this.revealing += 1;
    this.cursor = place;
    this.render();
    this.focusCursor();
    this.select("mouse");
  }

  doubleClick(event) {
    const place = this.placeOf(event);
    if (place && !event.target.closest(".twisty")) this.toggle(place);
  }
}

// A row that is used again and again.
class Row {
  constructor(space) {
    this.indent = element("span", { class: "indent" });
    this.twisty = element("span", { class: "twisty" });
    this.kind = kindMark("unknown");
    this.number = element("span", { class: "number" });
    this.name = element("span", { class: "name" });
    this.badges = element("span", { class: "badges" });
    this.depth = element("span", { class: "cell-depth" });
    this.value = element("span", { class: "cell-value" });
    this.nodes = element("span", { class: "cell-nodes" });
    this.bar = element("span", { class: "bar" });
    this.share = element("span", { class: "cell-share" }, this.bar);
    const move = element(
      "span",
      { class: "cell-move" },
      this.indent,
      this.twisty,
      this.kind,
      this.number,
      this.name,
      this.badges,
    );
    this.box = element(
      "div",
      { class: "row", role: "treeitem", tabindex: "-1" },
      move,
      this.depth,
      this.value,
      this.nodes,
      this.share,
    );
    space.append(this.box);
  }

  move(top) {
    if (this.top === top) return;
    this.top = top;
    this.box.style.transform = `translateY(${top}px)`;
  }

  hide() {
    this.move(-1000);
    this.node = undefined;
    this.box.hidden = true;
    this.box.tabIndex = -1;
    this.box.ariaSelected = "false";
  }

  draw(node, situation) {
    const { place, isOpen, isOpening, isSelected } = situation;
    const { box } = this;
    box.hidden = false;
    box.tabIndex = isSelected ? 0 : -1;
    box.ariaSelected = String(isSelected);
    box.ariaLevel = String(place.branch.level + 1);
    box.ariaSetSize = String(place.branch.total);
    box.ariaPosInSet = String(place.index + 1);
    if (node?.has_children) box.ariaExpanded = String(isOpen);
    else box.removeAttribute("aria-expanded");
    box.ariaBusy = String(isOpening || !node);
    if (this.node === node && this.level === place.branch.level && node) return;
    this.node = node;
    this.level = place.branch.level;
    this.fill(node, situation);
  }

  fill(node, { place, parent, isHit, isPv }) {
    const { level } = place.branch;
    const steps = Math.min(level, DEEP) + Math.max(0, level - DEEP) / 4;
    this.indent.style.width = `calc(${steps} * var(--indent))`;
    this.box.classList.toggle("empty", !node);
    this.box.classList.toggle("hit", Boolean(isHit));
    this.box.classList.toggle("pv", Boolean(isPv));
    this.badges.replaceChildren();
    this.box.dataset.id = node?.id ?? "";
    if (!node) {
      this.name.textContent = "";
      for (const cell of [this.number, this.depth, this.value, this.nodes]) cell.textContent = "";
      this.kind.dataset.kind = "unknown";
      this.kind.textContent = "";
      this.bar.style.transform = "scaleX(0)";
      return;
    }
    const share = parent ? node.subtree / parent.subtree : 1;
    this.kind.dataset.kind = node.kind;
    this.kind.textContent = KINDS[node.kind]?.letter ?? "·";
    this.kind.title = `${KINDS[node.kind]?.name ?? node.kind} node`;
    this.number.textContent = isMove(node) && node.number ? node.number : "";
    this.number.hidden = level === 0;
    this.name.textContent = moveName(node);
    this.badges.append(...badges(node, isPv, isHit));
    this.depth.textContent = plies(node.depth);
    this.value.textContent = value(node);
    this.value.dataset.bound = node.bound ?? "none";
    this.nodes.textContent = shortCount(node.subtree);
    this.nodes.title = `${count(node.subtree)} nodes`;
    this.share.title = parent ? `${percent(share)} of the nodes of the node above` : "";
    this.bar.style.transform = `scaleX(${Math.min(1, share)})`;
    this.bar.dataset.kind = node.kind;
  }
}

// What is special about a node, in the order in which it happened.
export function badges(node, isPv = false, isHit = false) {
  const made = [];
  const badge = (sort, text, title) => made.push(element("span", { class: `badge ${sort}`, text, title }));
  if (isHit) badge("of-hit", "hit", "Your question is true of this node");
  if (isPv && node.ply > 0) badge("of-pv", "best line", "On the principal variation");
  if (!["move", "root"].includes(node.purpose)) badge("of-purpose", words(node.purpose), "What it was searched for");
  if (isMove(node) && node.extension) {
    badge("of-depth", `${node.extension > 0 ? "extended" : "shortened"} ${plies(Math.abs(node.extension))}`, extensionTitle(node));
  }
  if (isMove(node) && node.reduction > 0)
    badge("of-depth", `reduced ${plies(node.reduction)}`, `Reduced by ${inPlies(node.reduction)}`);
  if (node.cut_by) badge("of-cut", words(node.cut_by), "The technique that cut it");
  else if (!["moves", "stand_pat", "evaluated", "unknown"].includes(node.end))
    badge("of-end", words(node.end), "Why it was left");
  return made;
}

function extensionTitle(node) {
  const why = node.class ? ` (${words(node.class)})` : "";
  return node.extension > 0
    ? `Extended by ${inPlies(node.extension)}${why}`
    : `Costs ${inPlies(-node.extension)} more${why}`;
}
