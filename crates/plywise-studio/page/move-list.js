// The moves of a game with their variations, marks and comments, to click.

import { element } from "./dom.js";
import { minus } from "./format.js";

export class MoveList {
  // `onPick` gets the move to show.
  constructor({ onPick }) {
    this.onPick = onPick;
    this.nodes = new Map();
    this.list = element("div", { class: "variations", onclick: (event) => this.click(event) });
    this.box = element("div", { class: "variations-box", tabindex: "0", role: "region", "aria-label": "Moves" }, this.list);
  }

  // `isSecondFirst` says that the second player moves first.
  show(game, isSecondFirst) {
    this.game = game;
    this.shift = Number(isSecondFirst);
    this.nodes.clear();
    this.next = 0;
    const { children } = game.root;
    const empty = element("p", { class: "quiet-text", text: "The moves will stand here. Play on the board, or paste a game." });
    this.list.replaceChildren(...(children.length ? this.line(children, 0, true) : [empty]));
    const here = this.list.querySelector("[aria-current]");
    if (here) keepInView(this.box, here);
    else this.box.scrollTop = 0;
  }

  // The first move of `choices` with the others as variations, and what follows it.
  line(choices, from, isMain) {
    const parts = [];
    let [first, ...others] = choices;
    let ply = from;
    let isNumbered = true;
    while (first) {
      parts.push(this.move(first, ply, isNumbered));
      isNumbered = false;
      if (first.comment) parts.push(element("span", { class: "comment", text: first.comment }));
      for (const other of others) {
        const inner = this.line([other], ply, false);
        parts.push(element("span", { class: isMain ? "variation block" : "variation" }, "(", inner, ")"));
      }
      isNumbered = Boolean(first.comment || others.length);
      [first, ...others] = first.children;
      ply += 1;
    }
    return parts;
  }

  move(node, ply, isNumbered) {
    const at = ply + this.shift;
    const number = at % 2 === 0 ? `${at / 2 + 1}.` : isNumbered ? `${(at + 1) / 2}…` : "";
    const id = (this.next += 1);
    this.nodes.set(String(id), node);
    const text = node.text + node.marks;
    return element(
      "span",
      { class: "move-with-number" },
      number && element("span", { class: "number", text: number }),
      element(
        "button",
        { type: "button", class: "move-text", data: { move: id, marks: node.marks }, "aria-current": node === this.game.here && "true" },
        text,
        node.shown && element("small", { text: minus(node.shown) }),
      ),
    );
  }

  click(event) {
    const id = event.target.closest("[data-move]")?.dataset.move;
    if (id) this.onPick(this.nodes.get(id));
  }
}

// Scrolls a box, but not the page, until something in it is seen.
export function keepInView(frame, inside) {
  const [outer, inner] = [frame.getBoundingClientRect(), inside.getBoundingClientRect()];
  if (inner.top < outer.top) frame.scrollTop -= outer.top - inner.top + inner.height;
  else if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom + inner.height;
}
