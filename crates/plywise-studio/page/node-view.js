// The selected node: its board, its numbers in words, the path to it, its facts.

import { turnButton } from "./board.js";
import { element, kindMark, KINDS, say, table } from "./dom.js";
import { badges } from "./outline.js";
import {
  count,
  inPlies,
  line,
  moveName,
  narrowedWindow,
  percent,
  score,
  valueFor,
  window as windowOf,
  words,
} from "./format.js";
import { nodeAddress } from "./route.js";
import { isTurned, rememberTurned } from "./storage.js";

export class NodeView {
  constructor(box) {
    this.box = box;
    this.picture = element("img", { class: "board-picture", alt: "", hidden: true });
    this.text = element("pre", { class: "board-text", hidden: true });
    this.note = element("figcaption", {
      class: "board-note",
      hidden: true,
      text: "This game has no picture here. The search began at:",
    });
    this.board = element("figure", { class: "board" }, this.picture, this.note, this.text);
    this.turner = turnButton(() => this.turn(), "x");
    this.shown = null;
    this.title = element("h2", { class: "node-title" });
    this.badges = element("p", { class: "node-badges" });
    this.words = element("p", { class: "node-words", "aria-live": "polite" });
    this.best = element("p", { class: "node-best" });
    this.position = element("code", { class: "position", tabindex: "0", "aria-label": "Position" });
    this.path = table(
      "Path to the root",
      [
        { title: "Move", cells: "name" },
        { title: "Kind" },
        { title: "Window on entry → used", cells: "figure" },
        { title: "Value", cells: "figure" },
        { title: "Left by" },
      ],
      "path-table",
    );
    this.facts = element("dl", { class: "node-facts" });
    const told = element("div", { class: "node-told" }, this.title, this.badges, this.words, this.best, this.position);
    box.append(
      element("div", { class: "node-top" }, element("div", { class: "node-board" }, this.board, this.turner), told),
      element("section", { "aria-label": "Path" }, element("h3", { text: "Path from the root" }), this.path.box),
      element("section", { "aria-label": "Facts" }, element("h3", { text: "Facts" }), this.facts),
    );
    this.waiting = 0;
  }

  // What is known at once; the rest follows with `show`. Dims the old board only if the new one takes long.
  expect(node) {
    this.heading(node);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.box.setAttribute("aria-busy", "true"), 150);
  }

  show(file, detail, root) {
    this.settle();
    const { node } = detail;
    this.shown = { file, id: node.id };
    this.heading(node);
    this.showBoard(file, detail);
    this.words.textContent = detail.words;
    this.best.replaceChildren(...bestLine(file, detail));
    this.position.textContent = detail.position ?? "";
    this.path.fill(pathRows(file, detail));
    this.facts.replaceChildren(...factRows(node, detail, root));
  }

  // Shows the board from the other side, here and at all nodes.
  async turn() {
    if (!this.shown || this.turner.hidden) return;
    rememberTurned("tree", !isTurned("tree"));
    const { file, id } = this.shown;
    try {
      const detail = await file.detail(id);
      if (this.shown.id === id && this.shown.file === file) this.showBoard(file, detail);
    } catch (error) {
      say(error.message, true);
    }
  }

  fail(error) {
    this.settle();
    this.box.dataset.failed = true;
    this.words.textContent = error.message;
  }

  settle() {
    clearTimeout(this.waiting);
    this.box.removeAttribute("aria-busy");
    delete this.box.dataset.failed;
  }

  heading(node) {
    this.title.replaceChildren(
      kindMark(node.kind),
      element("span", { text: moveName(node) }),
      element("span", { class: "node-value", text: valueFor(node) }),
    );
    this.badges.replaceChildren(
      element("span", { class: "badge plain", text: `${KINDS[node.kind]?.name ?? node.kind} node` }),
      element("span", { class: "badge plain", text: `node ${node.id}` }),
      ...badges(node),
    );
  }

  showBoard(file, { svg, path, position }) {
    this.picture.hidden = !svg;
    this.text.hidden = Boolean(svg);
    this.note.hidden = Boolean(svg);
    this.turner.hidden = !svg;
    if (svg) {
      this.picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
      this.picture.alt = `Board after ${line(path)}`;
    } else {
      this.text.textContent = file.head.board || file.head.position || position || "";
    }
  }
}

// A link to where the best line below a node ends.
function bestLine(file, { node, pv }) {
  const below = (pv ?? []).filter((id) => id !== node.id);
  if (!below.length) return [];
  return [
    "Its best line goes on for ",
    element("a", {
      href: nodeAddress(file.id, below.at(-1)),
      text: below.length === 1 ? "one ply" : `${below.length} plies`,
    }),
    ".",
  ];
}

function pathRows(file, { node, line: steps }) {
  return steps.map((step) => {
    const isHere = step.id === node.id;
    const name = element("a", {
      href: nodeAddress(file.id, step.id),
      "aria-current": isHere && "true",
      text: moveName(step),
    });
    const purpose = ["move", "root"].includes(step.purpose)
      ? null
      : element("span", { class: "badge of-purpose", text: words(step.purpose) });
    const left = element("span", { class: step.cut_by ? "badge of-cut" : "", text: words(step.cut_by ?? step.end) });
    const told = valueFor(step);
    return {
      class: isHere ? "here" : null,
      cells: [[name, purpose], [kindMark(step.kind), ` ${step.kind}`], windows(step), told, left],
    };
  });
}

// The window on entry, and below it what it was narrowed to.
function windows(node) {
  const narrowed = narrowedWindow(node);
  const used = element("span", {
    class: "narrowed",
    text: `→ ${narrowed}`,
    title: "After mate distance or the table narrowed it",
  });
  return [windowOf(node), narrowed && used];
}

function factRows(node, { line: steps, path }, root) {
  const above = steps.at(-2);
  const facts = [
    ["Searched for", words(node.purpose)],
    ["Left by", words(node.end)],
    ["Depth left", inPlies(node.depth)],
    ["Ply", count(node.ply)],
    ["Window on entry", windowOf(node)],
    ["Narrowed to", narrowedWindow(node)],
    ["Value", node.value === null ? null : `${valueFor(node)}, ${node.bound}${node.uncertain ? ", uncertain" : ""}`],
    ["Evaluation", node.evaluation === null ? null : score(node, "evaluation")],
    ["Nodes of its subtree", count(node.subtree)],
    ["Of the node above", above ? percent(node.subtree / above.subtree) : null],
    ["Of the iteration", root && root.subtree ? percent(node.subtree / root.subtree) : null],
    ["Number in the order", node.number || null],
    ["Part of the order", node.phase && words(node.phase)],
    ["Priced as", node.class && words(node.class)],
    ["Searched at", node.ply > 0 ? inPlies(node.price) : null],
    ["Extension", node.extension ? inPlies(node.extension) : null],
    ["Reduction", node.reduction ? inPlies(node.reduction) : null],
    ["Moves left out", node.left_out ? count(node.left_out) : null],
    ["Line", path.length ? line(path) : null],
  ];
  return facts
    .filter(([, what]) => what !== null && what !== undefined)
    .map(([name, what]) =>
      element(
        "div",
        { class: name === "Line" ? "wide" : null },
        element("dt", { text: name }),
        element("dd", { text: what }),
      ),
    );
}
