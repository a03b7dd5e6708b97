// Sets up a position by hand: pieces are dragged to any place or off the board, and new ones are taken from a tray.

import { draw, piecesOf } from "./art.js";
import { element } from "./dom.js";

// The letters with which positions are written, and the names of the pieces in pictures.
const TRAYS = {
  chess: {
    K: "white king",
    Q: "white queen",
    R: "white rook",
    B: "white bishop",
    N: "white knight",
    P: "white pawn",
    k: "black king",
    q: "black queen",
    r: "black rook",
    b: "black bishop",
    n: "black knight",
    p: "black pawn",
  },
  loa: { b: "black piece", w: "white piece" },
  othello: { X: "black disc", O: "white disc" },
  abalone: { b: "black marble", w: "white marble" },
};
const SIDES = { chess: ["w", "b"], loa: ["w", "b"], othello: ["O", "X"], abalone: ["w", "b"] };
// Abalone begins with all marbles on the board, in one of these starts; those that are missing were pushed off.
const STARTS = { abalone: { standard: "Standard", "belgian-daisy": "Belgian daisy", "german-daisy": "German daisy" } };
const MARBLES = 14;
const MOST_LOST = 6;
// The king and the rook that a right to castle needs, as places of the board read row by row from the top.
const CASTLING = { K: [60, "K", 63, "R"], Q: [60, "K", 56, "R"], k: [4, "k", 7, "r"], q: [4, "k", 0, "r"] };

export class Setup {
  // `onChange` is told the text of the new position.
  constructor({ onChange }) {
    this.onChange = onChange;
    this.tool = null;
    this.tray = element("div", { class: "tray", role: "group", "aria-label": "Pieces to put on the board" });
    this.side = element("select", { "aria-label": "Side to move", onchange: () => this.change(() => {}) });
    this.starts = element("div", { class: "bar-row" });
    this.box = element(
      "div",
      { class: "setup", hidden: true },
      this.tray,
      element("div", { class: "bar-row" }, this.side, this.starts),
      element("p", {
        class: "quiet-text",
        text: "Drag pieces to any place, or off the board. A piece of the tray goes to every place that you click.",
      }),
    );
  }

  static knows(game) {
    return game in TRAYS;
  }

  show(game, position) {
    const [board, side, ...rest] = position.split(" ");
    const rows = board.replace(/\d+/g, (many) => "-".repeat(Number(many))).split("/");
    Object.assign(this, { letters: [...rows.join("")], rest, widths: rows.map(({ length }) => length) });
    if (this.game !== game) this.fill(game);
    this.side.value = side;
  }

  async fill(game) {
    this.game = game;
    this.tool = null;
    // White's pieces and the tool that removes fill the first row.
    const tools = Object.entries(TRAYS[game]).toSpliced(6, 0, ["-", "nothing: takes a piece off"]);
    const buttons = tools.map(([letter, name]) =>
      element("button", {
        type: "button",
        class: "tool",
        title: name,
        "aria-label": name,
        "aria-pressed": "false",
        data: { letter },
        text: letter === "-" ? "✕" : null,
        onclick: () => this.choose(this.tool === letter ? null : letter),
      }),
    );
    this.tray.replaceChildren(...buttons);
    this.fillSides(game);
    const pieces = await piecesOf(game);
    tools.forEach(([, name], at) => pieces.has(name) && buttons[at].append(draw(pieces.get(name))));
  }

  fillSides(game) {
    const [white, black] = SIDES[game];
    this.side.replaceChildren(
      element("option", { value: white, text: "White to move" }),
      element("option", { value: black, text: "Black to move" }),
    );
    const starts = Object.entries(STARTS[game] ?? {}).map(([name, text]) => button(text, () => this.onChange(name)));
    this.starts.replaceChildren(...(starts.length ? starts : [button("Clear", () => this.clear())]));
  }

  choose(letter) {
    this.tool = letter;
    for (const each of this.tray.children) each.setAttribute("aria-pressed", String(each.dataset.letter === letter));
  }

  has(at) {
    return this.letters[at] !== "-";
  }

  put(at) {
    this.change((letters) => {
      letters[at] = this.tool;
    });
  }

  // From one place to another; off the board where there is no other.
  move(from, to) {
    this.change((letters) => {
      if (to !== null) letters[to] = letters[from];
      letters[from] = "-";
    });
  }

  // Kings stay, because chess is nothing without them.
  clear() {
    this.change((letters) => letters.forEach((letter, at) => (letters[at] = /k/i.test(letter) ? letter : "-")));
  }

  change(edit) {
    const letters = [...this.letters];
    edit(letters);
    this.onChange(this.write(letters));
  }

  write(letters) {
    if (this.widths.length === 1) return `${letters.join("")} ${this.side.value}`;
    let at = 0;
    const rows = this.widths.map((width) => letters.slice(at, (at += width)).join(""));
    const board = `${rows.map((row) => row.replace(/-+/g, ({ length }) => length)).join("/")} ${this.side.value}`;
    if (this.game === "abalone") return `${board} ${lost(letters, "b")} ${lost(letters, "w")}`;
    if (this.game !== "chess") return board;
    const stands = ([king, k, rook, r]) => letters[king] === k && letters[rook] === r;
    const rights = [...(this.rest[0] ?? "")].filter((right) => CASTLING[right] && stands(CASTLING[right])).join("");
    return `${board} ${rights || "-"} - 0 1`;
  }
}

function lost(letters, colour) {
  const left = letters.filter((letter) => letter === colour).length;
  return Math.min(MOST_LOST, Math.max(0, MARBLES - left));
}

function button(text, onclick) {
  return element("button", { class: "button small", type: "button", text, onclick });
}
