// The best lines of a search, to step into: a move shows its position while it is pointed at, and goes there by a click.

import { api } from "./api.js";
import { element } from "./dom.js";
import { value } from "./format.js";
import { setText } from "./run-parts.js";

const MOST_MOVES = 16;
const POINT_MS = 120;

export class BestLines {
  // `where` tells the position that is searched; `onPick` gets the moves to play from there.
  constructor({ where, onPick }) {
    this.where = where;
    this.onPick = onPick;
    this.lines = new Map();
    this.pictures = new Map();
    this.preview = element("img", { class: "preview", alt: "", hidden: true });
    this.list = element("ol", {
      class: "best-lines",
      "aria-label": "Best lines",
      onclick: (event) => this.click(event),
      onpointerover: (event) => this.point(event),
      onpointerleave: () => this.leave(),
    });
    this.box = element("div", { class: "best-lines-box" }, this.list, this.preview);
  }

  clear() {
    this.lines.clear();
    this.pictures.clear();
    this.leave();
    this.draw();
  }

  grow(progress) {
    this.lines.set(progress.line, progress);
  }

  // The first moves of the lines, the best first.
  get moves() {
    return this.sorted.map(({ engine_pv: pv }) => pv[0]).filter(Boolean);
  }

  get sorted() {
    return [...this.lines.values()].sort((one, other) => one.line - other.line);
  }

  // What is there already stays: news must not take a button away between a press and its release.
  draw() {
    const { sorted } = this;
    resize(this.list, sorted.length, () =>
      element("li", {}, element("b", { class: "line-score" }), element("span", { class: "line-moves" })),
    );
    sorted.forEach((each, at) => {
      const row = this.list.children[at];
      const [score, moves] = row.children;
      row.dataset.line = each.line;
      setText(score, value({ ...each, value: each.score }));
      const shown = each.pv.slice(0, MOST_MOVES);
      resize(moves, shown.length, (place) => element("button", { type: "button", class: "line-move", data: { at: place } }));
      shown.forEach((text, place) => setText(moves.children[place], text));
    });
  }

  // The moves to the one that an event is about.
  movesOf(event) {
    const button = event.target.closest("[data-at]");
    if (!button) return null;
    const line = this.lines.get(Number(button.closest("[data-line]").dataset.line));
    const many = Number(button.dataset.at) + 1;
    return { button, moves: line.engine_pv.slice(0, many), texts: line.pv.slice(0, many) };
  }

  click(event) {
    const found = this.movesOf(event);
    if (found) this.onPick(found.moves, found.texts);
  }

  point(event) {
    clearTimeout(this.waiting);
    const found = event.pointerType === "touch" ? null : this.movesOf(event);
    if (found) this.waiting = setTimeout(() => this.showPreview(found), POINT_MS);
    else this.leave();
  }

  async showPreview({ button, moves }) {
    const { game, position, moves: before, isTurned } = this.where();
    const all = [...before, ...moves];
    const key = `${all} ${isTurned}`;
    try {
      if (!this.pictures.has(key)) this.pictures.set(key, (await api.board(game, position, all, isTurned)).svg);
    } catch {
      // A preview is worth no words.
      return;
    }
    if (!button.matches(":hover")) return;
    this.preview.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.pictures.get(key))}`;
    const [place, box] = [button.getBoundingClientRect(), this.box.getBoundingClientRect()];
    this.preview.style.left = `${Math.max(0, Math.min(place.left - box.left, box.width - 240))}px`;
    this.preview.style.top = `${place.bottom - box.top + 6}px`;
    this.preview.hidden = false;
  }

  leave() {
    clearTimeout(this.waiting);
    this.preview.hidden = true;
  }
}

// Gives a box `many` children; `make` makes the one at a place.
function resize(box, many, make) {
  while (box.children.length > many) box.lastChild.remove();
  while (box.children.length < many) box.append(make(box.children.length));
}
