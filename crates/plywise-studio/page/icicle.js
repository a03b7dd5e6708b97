// Where the effort went: every node as wide as its subtree, its children below it, in the search's order. The picture is
// fetched two levels at a time, the largest subtrees first, and leaves out what would be too narrow to see. Colours tell the
// kinds of nodes, or the techniques that the effort was for.

import { element, isStill, KINDS } from "./dom.js";
import { count, line, moveName, percent, value, words } from "./format.js";
import { PAGE } from "./tree-file.js";

const SMALLEST = 0.002;
const LEVELS_AT_A_TIME = 2;
// How much one zoom may ask for.
const REQUESTS = 240;
const AT_ONCE = 3;
const PAGES = 5;
const ZOOM_MS = 180;
const WHEEL_PAUSE_MS = 220;
const FONT = "12px system-ui, sans-serif";

// Techniques that search by themselves, by what they search for.
const PROBES = {
  null_move: "null_move",
  verification: "null_move",
  probcut: "probcut",
  capture_probcut: "capture_probcut",
  multi_cut: "multi_cut",
  singular: "singular",
  internal_deepening: "internal_deepening",
  razoring: "razoring",
};
const COLOURS = 6;

// How a node that no technique cut was searched otherwise than it would have been, if it was.
function treatment({ purpose, reduction, extension }) {
  if (["step", "full_price", "open_window"].includes(purpose)) return "searched again";
  if (reduction) return "reduced";
  return extension ? "extended" : null;
}

// A node in the picture. `x` and `width` are parts of the whole root.
class Cell {
  constructor(node, parent, x, width) {
    this.node = node;
    this.parent = parent;
    this.x = x;
    this.width = width;
    this.level = parent ? parent.level + 1 : 0;
    // The technique that cut the node, or whose probe it is part of; or what the node was searched again or differently for.
    this.probe = PROBES[node.purpose] ?? parent?.probe ?? null;
    this.technique = node.cut_by ?? this.probe ?? treatment(node);
    this.children = null;
    // Children beyond the pages that are read.
    this.unread = 0;
  }

  adopt(nodes) {
    let before = 0;
    this.children = nodes.map((node) => {
      const scale = this.width / Math.max(1, this.node.subtree);
      const cell = new Cell(node, this, this.x + before * scale, node.subtree * scale);
      before += node.subtree;
      return cell;
    });
  }

  path() {
    const cells = [];
    for (let cell = this; cell; cell = cell.parent) cells.unshift(cell);
    return cells;
  }
}

export class Icicle {
  // `onSelect(node)` is told what was clicked.
  // `onLegend(entries)` gets the meaning of the colours: `{ name, colour, letter }` each.
  constructor(canvas, crumbs, status, { onSelect, onLegend }) {
    this.canvas = canvas;
    this.crumbs = crumbs;
    this.status = status;
    this.onSelect = onSelect;
    this.onLegend = onLegend;
    // What colours tell: "kind" or "technique".
    this.by = "kind";
    this.sought = "";
    this.context = canvas.getContext("2d");
    this.root = null;
    this.zoomed = null;
    this.cursor = null;
    this.hovered = null;
    this.selected = null;
    this.turn = 0;
    this.row = 22;
    this.view = { x: 0, width: 1, level: 0 };
    new ResizeObserver(() => this.resize()).observe(canvas);
    canvas.addEventListener("mousemove", (event) => this.hover(this.at(event)));
    canvas.addEventListener("mouseleave", () => this.hover(null));
    canvas.addEventListener("click", (event) => this.click(this.at(event)));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("focus", () => this.moveCursor(this.cursor ?? this.zoomed));
    canvas.addEventListener("blur", () => this.drawSoon());
    this.readColours();
  }

  setRoot(file, root) {
    if (this.file === file && this.root?.node.id === root?.id) return;
    this.file = file;
    this.root = root ? new Cell(root, null, 0, 1) : null;
    this.cursor = null;
    this.hovered = null;
    this.view = { x: 0, width: 1, level: 0 };
    this.zoomed = null;
    if (this.root) this.zoom(this.root, true);
    else this.drawSoon();
  }

  // Colours by kind or by technique.
  colourBy(what) {
    this.by = what;
    this.tellLegend();
    this.drawSoon();
  }

  // Leaves in colour only nodes whose name has this text, and goes to the largest of them when `isGoing`.
  seek(text, isGoing = false) {
    this.sought = text.trim().toLowerCase();
    const found = this.sought ? this.fitting() : [];
    if (isGoing && found.length) {
      const at = (found.indexOf(this.cursor) + 1) % found.length;
      if (!this.isWide(found[at])) this.zoom(found[at].parent);
      this.moveCursor(found[at]);
      this.onSelect(found[at].node);
    } else this.drawSoon();
    return found.length;
  }

  // The nodes of the picture whose name fits, the largest first.
  fitting() {
    const found = [];
    const look = (cell) => {
      if (this.fits(cell)) found.push(cell);
      cell.children?.forEach(look);
    };
    if (this.root) look(this.root);
    return found.sort((one, other) => other.width - one.width);
  }

  fits(cell) {
    return !this.sought || moveName(cell.node).toLowerCase().includes(this.sought);
  }

  // Marks the selected node where it is in the picture.
  select(id) {
    this.selected = id;
    this.tell();
    this.drawSoon();
  }

  // Zooms to the last node of a line, fetching what lies between.
  async zoomToLine(steps) {
    if (!this.root || steps[0].id !== this.root.node.id) return;
    const turn = (this.turn += 1);
    let cell = this.root;
    for (const step of steps.slice(1)) {
      await this.load(cell);
      if (turn !== this.turn) return;
      let next = cell.children.find((child) => child.node.id === step.id);
      if (!next) {
        // Beyond the pages that are read: it gets a place at the right end.
        const width = (cell.width * step.subtree) / Math.max(1, cell.node.subtree);
        next = new Cell(step, cell, cell.x + cell.width - width, width);
        cell.children.push(next);
      }
      cell = next;
    }
    this.zoom(cell.node.has_children || !cell.parent ? cell : cell.parent);
  }

  // ---- fetching

  async load(cell) {
    if (cell.children || !cell.node.has_children) {
      cell.children ??= [];
      return;
    }
    const { file } = this;
    const first = await file.page(cell.node.id, 0);
    const nodes = [...first.children];
    const pages = Math.min(PAGES, Math.ceil(first.total / PAGE));
    for (let page = 1; page < pages; page += 1) nodes.push(...(await file.page(cell.node.id, page)).children);
    if (cell.children) return;
    cell.adopt(nodes);
    cell.unread = first.total - nodes.length;
  }

  // Fetches what is in view, level by level.
  async fill() {
    const turn = (this.turn += 1);
    let left = REQUESTS;
    for (let depth = LEVELS_AT_A_TIME; depth <= this.levels + 1 && left > 0; depth += LEVELS_AT_A_TIME) {
      for (let pass = 0; pass < LEVELS_AT_A_TIME && left > 0; pass += 1) {
        const wanted = this.lacking(depth).slice(0, left);
        left -= wanted.length;
        const next = () => {
          const cell = turn === this.turn ? wanted.shift() : null;
          return cell
            ? this.load(cell)
                .then(() => this.drawSoon())
                .then(next)
            : null;
        };
        try {
          await Promise.all(Array.from({ length: AT_ONCE }, next));
        } catch (error) {
          if (turn === this.turn) this.status.textContent = error.message;
          return;
        }
        if (turn !== this.turn) return;
      }
    }
    this.tell();
  }

  // Cells in view, down to a depth, whose children are not known yet: the largest first.
  lacking(depth) {
    const found = [];
    const look = (cell, below) => {
      if (below >= depth || cell.width / this.zoomed.width < SMALLEST) return;
      if (!cell.children && cell.node.has_children) found.push(cell);
      cell.children?.forEach((child) => look(child, below + 1));
    };
    look(this.zoomed, 0);
    return found.sort((one, other) => other.width - one.width);
  }

  // ---- zooming

  zoom(cell, isAtOnce = false) {
    this.zoomed = cell;
    this.cursor = cell;
    this.hovered = null;
    const from = { ...this.view };
    const to = { x: cell.x, width: cell.width || 1, level: cell.level };
    cancelAnimationFrame(this.animation);
    if (isAtOnce || isStill()) this.view = to;
    else this.glide(from, to, performance.now());
    this.showCrumbs();
    this.tell();
    this.drawSoon();
    this.fill();
  }

  glide(from, to, begin) {
    const step = (now) => {
      const time = Math.min(1, Math.max(0, (now - begin) / ZOOM_MS));
      const part = 1 - (1 - time) ** 3;
      const between = (one, other) => one + (other - one) * part;
      this.view = {
        x: between(from.x, to.x),
        width: between(from.width, to.width),
        level: between(from.level, to.level),
      };
      this.draw();
      if (time < 1) this.animation = requestAnimationFrame(step);
    };
    this.animation = requestAnimationFrame(step);
  }

  // One level towards a cell.
  zoomTowards(cell) {
    const path = cell.path();
    const next = path[path.indexOf(this.zoomed) + 1];
    if (next?.node.has_children) this.zoom(next);
  }

  zoomOut() {
    if (this.zoomed?.parent) this.zoom(this.zoomed.parent);
  }

  showCrumbs() {
    const path = this.zoomed.path();
    const shown = path.length > 7 ? [path[0], null, ...path.slice(-5)] : path;
    const crumbs = shown.map((cell) =>
      cell
        ? element("button", {
            type: "button",
            class: "crumb",
            "aria-current": cell === this.zoomed && "true",
            text: moveName(cell.node),
            onclick: () => this.zoom(cell),
          })
        : element("span", { text: "…" }),
    );
    this.crumbs.replaceChildren(...crumbs);
  }

  // ---- what people do

  at(event) {
    if (!this.zoomed) return null;
    const box = this.canvas.getBoundingClientRect();
    const x = this.view.x + ((event.clientX - box.left) / box.width) * this.view.width;
    const level = Math.floor((event.clientY - box.top) / this.row + this.view.level);
    let cell = this.root;
    while (cell && cell.level < level) cell = cell.children?.find((child) => x >= child.x && x < child.x + child.width);
    return cell && this.isWide(cell) ? cell : null;
  }

  isWide(cell) {
    return cell.width / this.zoomed.width >= SMALLEST;
  }

  hover(cell) {
    if (this.hovered === cell) return;
    this.hovered = cell;
    this.canvas.classList.toggle("over", Boolean(cell));
    this.tell();
    this.drawSoon();
  }

  click(cell) {
    if (!cell) return;
    if (cell === this.zoomed) this.zoomOut();
    else if (cell.node.has_children) this.zoom(cell);
    this.onSelect(cell.node);
  }

  wheel(event) {
    if (!this.zoomed || event.ctrlKey) return;
    event.preventDefault();
    if (event.timeStamp - (this.wheeled ?? 0) < WHEEL_PAUSE_MS || Math.abs(event.deltaY) < 2) return;
    this.wheeled = event.timeStamp;
    if (event.deltaY > 0) this.zoomOut();
    else if (this.at(event)) this.zoomTowards(this.at(event));
  }

  key(event) {
    if (!this.zoomed || event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = this.cursor ?? this.zoomed;
    const siblings = (cell.parent?.children ?? [cell]).filter((each) => this.isWide(each));
    const at = siblings.indexOf(cell);
    const widest = () =>
      cell.children?.filter((each) => this.isWide(each)).sort((one, other) => other.width - one.width)[0];
    const moves = {
      ArrowLeft: () => cell !== this.zoomed && this.moveCursor(siblings[at - 1]),
      ArrowRight: () => cell !== this.zoomed && this.moveCursor(siblings[at + 1]),
      ArrowDown: () => this.moveCursor(widest()),
      ArrowUp: () => (cell === this.zoomed ? this.zoomOut() : this.moveCursor(cell.parent)),
      Enter: () => this.click(cell),
      " ": () => this.onSelect(cell.node),
      "+": () => this.zoomTowards(cell),
      "-": () => this.zoomOut(),
      Backspace: () => this.zoomOut(),
      Home: () => this.zoom(this.root),
    };
    if (!(event.key in moves)) return;
    moves[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }

  moveCursor(cell) {
    if (!cell) return;
    this.cursor = cell;
    this.tell();
    this.drawSoon();
  }

  // Tells in words what the mouse or the cursor is on.
  tell() {
    const isFocused = document.activeElement === this.canvas;
    const cell = this.hovered ?? (isFocused ? this.cursor : null) ?? this.zoomed;
    if (!cell) {
      this.status.textContent = "";
      return;
    }
    const { node } = cell;
    const path = cell
      .path()
      .slice(1)
      .map((each) => moveName(each.node));
    const whole = percent(node.subtree / Math.max(1, this.root.node.subtree));
    const kind = KINDS[node.kind]?.name ?? node.kind;
    const technique = cell.technique ? `, ${words(cell.technique)}` : "";
    const unread = cell.unread > 0 ? `; ${count(cell.unread)} of its children are not drawn one by one` : "";
    this.status.textContent = `${line(path)}: ${kind} node${technique}, ${count(node.subtree)} nodes, ${whole} of the iteration, value ${value(node)}${unread}`;
  }

  // ---- drawing

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    const ratio = devicePixelRatio || 1;
    this.size = { width: clientWidth, height: clientHeight };
    this.row = parseFloat(getComputedStyle(this.canvas).getPropertyValue("--cell")) || 22;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw();
    if (this.zoomed && clientHeight > 0) this.fill();
  }

  get levels() {
    return Math.floor((this.size?.height ?? 0) / this.row);
  }

  // The colours of the page, as the browser resolves them.
  readColours() {
    const probe = element("span", { class: "probe" });
    this.canvas.parentElement.append(probe);
    const colour = (name) => {
      probe.style.color = `var(${name})`;
      return getComputedStyle(probe).color;
    };
    this.colours = {
      ink: colour("--ink"),
      edge: colour("--surface"),
      small: colour("--line"),
      focus: colour("--focus"),
      hit: colour("--hit-mark"),
      faded: colour("--raised"),
      kinds: {},
      lines: {},
      techniques: [],
    };
    for (let number = 1; number <= COLOURS; number += 1) {
      this.colours.techniques.push([colour(`--series-${number}-soft`), colour(`--series-${number}`)]);
    }
    for (const kind of Object.keys(KINDS)) {
      this.colours.kinds[kind] = colour(`--${kind}-soft`);
      this.colours.lines[kind] = colour(`--${kind}`);
    }
    probe.remove();
    this.tellLegend();
    this.drawSoon();
  }

  // Techniques have the colours of their places in the list that was seen first; after six they begin again, with stripes.
  styleOf(technique) {
    this.seen ??= [];
    let at = this.seen.indexOf(technique);
    if (at < 0) {
      at = this.seen.push(technique) - 1;
      this.tellLegend();
    }
    const [fill, line] = this.colours.techniques[at % COLOURS];
    return { fill, line, isStriped: at >= COLOURS, at };
  }

  tellLegend() {
    if (!this.colours) return;
    const kinds = Object.entries(KINDS).filter(([kind]) => kind !== "unknown");
    const names = this.by === "kind" ? kinds.map(([kind, { letter, name }]) => ({ kind, letter, name })) : [];
    const techniques = this.by === "kind" ? [] : (this.seen ?? []);
    this.onLegend([
      ...names,
      ...techniques.map((name) => ({ name: words(name), ...this.styleOf(name) })),
    ]);
  }

  // The colours of a node, and whether it is striped.
  look(cell) {
    const { colours } = this;
    if (!this.fits(cell)) return { fill: colours.faded, line: colours.small };
    if (this.by === "technique") {
      return cell.technique ? this.styleOf(cell.technique) : { fill: colours.kinds.unknown, line: colours.lines.unknown };
    }
    const { kind } = cell.node;
    return { fill: colours.kinds[kind] ?? colours.kinds.unknown, line: colours.lines[kind] ?? colours.lines.unknown };
  }

  // Marks nodes wherever they are in the picture.
  mark(ids) {
    this.hits = new Set(ids);
    this.drawSoon();
  }

  drawSoon() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    const { context, size } = this;
    if (!size?.width) return;
    context.clearRect(0, 0, size.width, size.height);
    if (!this.zoomed) return;
    context.font = FONT;
    context.textBaseline = "middle";
    this.drawCell(this.root);
    this.outlines();
  }

  place(cell) {
    const { size, view } = this;
    return {
      left: ((cell.x - view.x) / view.width) * size.width,
      width: (cell.width / view.width) * size.width,
      top: (cell.level - view.level) * this.row,
    };
  }

  drawCell(cell) {
    const { size } = this;
    const { left, width, top } = this.place(cell);
    if (left > size.width || left + width < 0 || top > size.height) return;
    if (top > -this.row) this.drawBox(cell, left, width, top);
    // Neighbours that are too narrow become one piece.
    let small = null;
    let end = left;
    for (const child of cell.children ?? []) {
      const box = this.place(child);
      end = box.left + box.width;
      if (box.width / size.width >= SMALLEST) {
        small = this.drawSmall(small);
        this.drawCell(child);
      } else {
        small ??= { left: box.left, top: box.top, techniques: new Map() };
        small.right = end;
        const { technique } = child;
        small.techniques.set(technique, (small.techniques.get(technique) ?? 0) + box.width);
      }
    }
    if (cell.unread > 0) {
      small ??= { left: end, top: top + this.row, techniques: new Map() };
      small.right = left + width;
    }
    this.drawSmall(small);
  }

  drawSmall(small) {
    if (small && small.right - small.left > 0.5) {
      this.context.fillStyle = this.smallColour(small);
      this.context.fillRect(small.left, small.top + 1, small.right - small.left, this.row - 2);
    }
    return null;
  }

  // A piece of narrow nodes has the colour of the technique that most of them are for.
  smallColour({ techniques }) {
    if (this.by !== "technique" || this.sought) return this.colours.small;
    const [technique] = [...techniques].reduce((most, each) => (each[1] > most[1] ? each : most), [null, 0]);
    return technique ? this.styleOf(technique).fill : this.colours.small;
  }

  drawBox(cell, left, width, top) {
    const { context, colours, size } = this;
    const { fill, line, isStriped } = this.look(cell);
    const gap = width > 4 ? 1 : 0.25;
    const from = Math.max(left, -2);
    const to = Math.min(left + width, size.width + 2);
    context.fillStyle = fill;
    context.fillRect(from, top + 1, Math.max(0.5, to - from - gap), this.row - 2);
    const isHit = this.hits?.has(cell.node.id);
    context.fillStyle = isHit ? colours.hit : line;
    if (isStriped) for (let x = from; x < to - gap - 2; x += 8) context.fillRect(x, top + this.row - 5, 4, 4);
    // A hit has a band of its own, so that its kind is still seen.
    context.fillRect(from, top + 1, Math.max(isHit ? 2 : 0.5, to - from - gap), isHit ? this.row / 2 : 2);
    if (to - from < 16) return;
    const technique = this.by === "technique" && cell.technique ? ` · ${words(cell.technique)}` : "";
    const text = fit(context, moveName(cell.node) + technique, to - from - 8);
    context.fillStyle = colours.ink;
    if (text) context.fillText(text, Math.max(from, 0) + 4, top + this.row / 2 + 1.5);
  }

  outlines() {
    const isFocused = document.activeElement === this.canvas;
    const found = this.selected && this.find(this.selected);
    if (found) this.outline(found, this.colours.ink, 1.5);
    if (this.hovered) this.outline(this.hovered, this.colours.ink, 1);
    if (isFocused && this.cursor) this.outline(this.cursor, this.colours.focus, 2.5);
  }

  outline(cell, colour, width) {
    const box = this.place(cell);
    this.context.strokeStyle = colour;
    this.context.lineWidth = width;
    const left = Math.max(box.left, 0) + 1;
    const right = Math.min(box.left + box.width, this.size.width) - 1;
    this.context.strokeRect(left, box.top + 1.5, Math.max(1, right - left), this.row - 3);
  }

  // A cell that is in the picture.
  find(id, cell = this.zoomed) {
    if (cell.node.id === id) return cell;
    for (const child of cell.children ?? []) {
      const found = this.isWide(child) && this.find(id, child);
      if (found) return found;
    }
    return null;
  }
}

// As much of a text as fits, or nothing.
function fit(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  for (let length = text.length - 1; length > 0; length -= 1) {
    const part = `${text.slice(0, length)}…`;
    if (context.measureText(part).width <= width) return length > 1 ? part : "";
  }
  return "";
}
