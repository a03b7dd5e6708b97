// A board to play on: the server's picture, with a button over each square, and the legal moves as a list.

import { element } from "./dom.js";

// The measures of the pictures: crates/plywise-game/src/svg.rs.
const CELL = 45;
const MARGIN = 22;
const PASSES = ["0000", "pass"];
const PIECES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const PROMOTIONS = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };

export class Board {
  // `onMove` is told an engine move.
  constructor({ onMove }) {
    this.onMove = onMove;
    this.isEnabled = true;
    // While a position is set up, pieces go where they are put, and no move is played.
    this.setup = null;
    this.view = null;
    this.chosen = null;
    this.grid = undefined;
    this.cursor = null;
    this.squares = new Map();
    this.picture = element("img", { class: "board-picture", alt: "", draggable: "false", hidden: true });
    this.cover = element("div", {
      class: "squares",
      role: "group",
      "aria-label": "Board",
      hidden: true,
      onclick: (event) => this.click(event),
      onkeydown: (event) => this.key(event),
      onpointerdown: (event) => this.grab(event),
      onpointermove: (event) => this.drag(event),
      onpointerup: (event) => this.drop(event),
      onpointercancel: () => this.letGo(),
    });
    this.lifted = element("div", { class: "lifted", "aria-hidden": "true", hidden: true });
    this.figure = element("figure", { class: "board live" }, this.picture, this.cover, this.lifted);
    this.list = element("div", {
      class: "move-list",
      role: "group",
      "aria-label": "Legal moves",
      onclick: (event) => event.target.dataset.engine && this.play(event.target.dataset.engine),
      onkeydown: (event) => this.keyInList(event),
    });
    this.summary = element("summary", { text: "Legal moves" });
    this.moves = element("details", { class: "moves" }, this.summary, this.list);
    this.pass = element("button", {
      class: "button strong",
      type: "button",
      hidden: true,
      text: "Pass",
      onclick: () => this.play(this.passMove),
    });
    this.choice = element("dialog", {
      class: "dialog narrow",
      "aria-labelledby": "promotion-title",
      onclick: (event) => event.target === this.choice && this.choice.close(),
    });
    this.box = element("div", { class: "board-box" }, this.figure, this.pass, this.moves, this.choice);
  }

  // Shows a position. `last` is the engine move that led to it.
  show(view, { last = null, words = "" } = {}) {
    const hadFocus = this.cover.contains(document.activeElement);
    this.view = view;
    this.last = last;
    this.hint = null;
    this.chosen = null;
    this.source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(view.svg)}`;
    this.picture.src = this.source;
    this.picture.alt = `Board${words ? ` after ${words}` : ""}. ${view.over ?? `${view.turn} to move`}. ${view.position}`;
    this.picture.hidden = false;
    this.lay(measure(view.svg));
    this.pieces = readPieces(view.position, this.grid);
    this.legal = view.moves.map((move) => ({ ...move, ...squaresOf(move.engine) }));
    this.passMove = this.legal.find(({ engine }) => PASSES.includes(engine))?.engine ?? null;
    this.fillList();
    this.paint();
    if (hadFocus) this.squares.get(this.cursor)?.focus();
  }

  enable(isEnabled) {
    this.isEnabled = isEnabled;
    if (!isEnabled) this.chosen = null;
    if (this.view) this.paint();
  }

  // Marks a move that somebody is advised to play.
  showHint(engine) {
    this.hint = engine;
    this.paint();
  }

  focus() {
    if (this.grid) this.squares.get(this.cursor)?.focus();
    else {
      this.moves.open = true;
      this.list.querySelector("button")?.focus();
    }
  }

  // ---- the squares

  lay(grid) {
    const isSame = JSON.stringify(grid) === JSON.stringify(this.grid);
    this.figure.style.aspectRatio = grid ? `${grid.width} / ${grid.height}` : ratioOf(this.view.svg);
    this.cover.hidden = !grid;
    if (isSame) return;
    this.grid = grid;
    this.squares.clear();
    this.cursor = null;
    // Where no square can be clicked, the list is the way to play.
    this.moves.open = !grid;
    if (!grid) {
      this.cover.replaceChildren();
      return;
    }
    const { files, ranks, width, height } = grid;
    Object.assign(this.cover.style, {
      left: `${(100 * MARGIN) / width}%`,
      top: `${(100 * MARGIN) / height}%`,
      width: `${(100 * files * CELL) / width}%`,
      height: `${(100 * ranks * CELL) / height}%`,
      gridTemplateColumns: `repeat(${files}, 1fr)`,
      gridTemplateRows: `repeat(${ranks}, 1fr)`,
    });
    for (let row = 0; row < ranks; row += 1) {
      for (let file = 0; file < files; file += 1) {
        const name = nameAt(grid, file, row);
        this.squares.set(name, element("button", { type: "button", class: "square", data: { square: name } }));
      }
    }
    this.cursor = nameAt(grid, 0, ranks - 1);
    this.cover.replaceChildren(...this.squares.values());
  }

  paint() {
    const { legal, chosen } = this;
    if (this.setup) {
      this.paintSetup();
      return;
    }
    const sources = new Set(this.isEnabled ? legal.filter(({ to }) => to).map(({ from }) => from) : []);
    const targets = new Set(
      this.isEnabled ? legal.filter(({ from, to }) => (to ? from === chosen : from)).map(({ from, to }) => to ?? from) : [],
    );
    const last = this.last ? Object.values(squaresOf(this.last)) : [];
    const hint = this.hint ? Object.values(squaresOf(this.hint)) : [];
    for (const [name, button] of this.squares) {
      const piece = this.pieces.get(name);
      const told = [name, piece];
      if (name === chosen) told.push("chosen");
      else if (targets.has(name)) told.push("can be moved to");
      else if (sources.has(name)) told.push("can move");
      if (hint.includes(name)) told.push("hint");
      button.setAttribute("aria-label", told.filter(Boolean).join(", "));
      button.tabIndex = name === this.cursor ? 0 : -1;
      button.classList.toggle("source", sources.has(name));
      button.classList.toggle("chosen", name === chosen);
      button.classList.toggle("target", targets.has(name));
      button.classList.toggle("taken", targets.has(name) && piece !== undefined);
      button.classList.toggle("last", last.includes(name));
      button.classList.toggle("hint", hint.includes(name));
    }
    this.pass.hidden = !(this.passMove && this.isEnabled);
    for (const button of this.list.children) button.disabled = !this.isEnabled;
  }

  // Places are counted row by row from the top, as positions are written.
  placeOf(name) {
    return [...this.squares.keys()].indexOf(name);
  }

  paintSetup() {
    for (const [name, button] of this.squares) {
      const isFull = this.pieces.has(name);
      const told = [name, this.pieces.get(name) ?? "empty", name === this.chosen && "chosen"];
      button.setAttribute("aria-label", told.filter(Boolean).join(", "));
      button.tabIndex = name === this.cursor ? 0 : -1;
      button.className = "square";
      button.classList.toggle("source", isFull);
      button.classList.toggle("chosen", name === this.chosen);
    }
    this.pass.hidden = true;
    for (const button of this.list.children) button.disabled = true;
  }

  takeInSetup(name) {
    const { setup, chosen } = this;
    this.chosen = null;
    if (setup.tool) setup.put(this.placeOf(name));
    else if (chosen && chosen !== name) setup.move(this.placeOf(chosen), this.placeOf(name));
    else if (!chosen && this.pieces.has(name)) this.chosen = name;
    this.paint();
  }

  click(event) {
    const name = event.target.dataset.square;
    if (!name || !this.isEnabled) return;
    this.cursor = name;
    this.take(name);
  }

  take(name) {
    if (this.setup) {
      this.takeInSetup(name);
      return;
    }
    const alone = this.legal.find(({ from, to }) => from === name && !to);
    if (alone) this.play(alone.engine);
    else if (this.chosen && this.chosen !== name && this.tryMove(this.chosen, name)) return;
    else {
      this.chosen = this.chosen !== name && this.legal.some(({ from }) => from === name) ? name : null;
      this.paint();
    }
  }

  // Plays the move between two squares, if there is one; where there are several, asks.
  tryMove(from, to) {
    const found = this.legal.filter((move) => move.from === from && move.to === to);
    if (found.length === 0) return false;
    this.chosen = null;
    if (found.length === 1) this.play(found[0].engine);
    else this.ask(found);
    return true;
  }

  ask(moves) {
    this.paint();
    const order = "qrbn";
    const sorted = moves.toSorted((one, other) => order.indexOf(one.rest) - order.indexOf(other.rest));
    this.choice.replaceChildren(
      element("h2", { id: "promotion-title", text: "Promote to" }),
      element(
        "form",
        { method: "dialog", class: "choices" },
        sorted.map(({ engine, rest, text }) =>
          element("button", {
            class: "button",
            type: "button",
            text: PROMOTIONS[rest] ?? text,
            onclick: () => {
              this.choice.close();
              this.play(engine);
            },
          }),
        ),
        element("button", { class: "button quiet", text: "Cancel" }),
      ),
    );
    this.choice.showModal();
  }

  play(engine) {
    if (!this.isEnabled || !engine) return;
    this.chosen = null;
    this.onMove(engine);
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Escape" && this.chosen) {
      this.chosen = null;
      this.paint();
      return;
    }
    const step = steps[event.key];
    if (!step || !this.cursor) return;
    event.preventDefault();
    const { files, ranks } = this.grid;
    const at = [...this.squares.keys()].indexOf(this.cursor);
    const file = Math.min(files - 1, Math.max(0, (at % files) + step[0]));
    const row = Math.min(ranks - 1, Math.max(0, Math.floor(at / files) + step[1]));
    this.cursor = nameAt(this.grid, file, row);
    for (const [name, button] of this.squares) button.tabIndex = name === this.cursor ? 0 : -1;
    this.squares.get(this.cursor).focus();
  }

  // ---- dragging

  grab(event) {
    const name = event.target.dataset.square;
    if (!this.isEnabled || event.button !== 0 || !event.target.classList.contains("source")) return;
    // Without this, a touch would keep sending everything to the square where it began.
    event.target.releasePointerCapture?.(event.pointerId);
    this.held = { name, x: event.clientX, y: event.clientY, isMoving: false };
  }

  drag(event) {
    const { held } = this;
    if (!held || event.pointerType === "touch") return;
    if (!held.isMoving && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 6) return;
    const square = this.squares.get(held.name);
    const frame = this.figure.getBoundingClientRect();
    if (!held.isMoving) {
      held.isMoving = true;
      // Only now: a capture from the start would take the click away from the square.
      this.cover.setPointerCapture(event.pointerId);
      this.chosen = held.name;
      this.paint();
      const { left, top, width, height } = square.getBoundingClientRect();
      held.size = [width, height];
      Object.assign(this.lifted.style, {
        width: `${width}px`,
        height: `${height}px`,
        backgroundImage: `url("${this.source.replaceAll('"', "%22")}")`,
        backgroundSize: `${this.picture.clientWidth}px ${this.picture.clientHeight}px`,
        backgroundPosition: `${this.picture.getBoundingClientRect().left - left}px ${this.picture.getBoundingClientRect().top - top}px`,
      });
      this.lifted.hidden = false;
    }
    const [width, height] = held.size;
    const [x, y] = [event.clientX - frame.left - width / 2, event.clientY - frame.top - height / 2];
    this.lifted.style.transform = `translate(${x}px, ${y}px)`;
  }

  drop(event) {
    const { held } = this;
    this.letGo();
    if (!held) return;
    const target = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.square;
    if (target === held.name) return;
    if (this.setup && held.isMoving) {
      this.chosen = null;
      this.setup.move(this.placeOf(held.name), target ? this.placeOf(target) : null);
      return;
    }
    if (!target || !this.tryMove(held.name, target)) {
      this.chosen = null;
      this.paint();
    }
  }

  letGo() {
    this.held = null;
    this.lifted.hidden = true;
  }

  // ---- the list

  fillList() {
    const { legal } = this;
    this.summary.textContent = `Legal moves (${legal.length})`;
    this.list.replaceChildren(
      ...legal.map(({ text, engine }, at) =>
        element("button", {
          type: "button",
          class: "move",
          tabindex: at === 0 ? "0" : "-1",
          data: { engine },
          text: PASSES.includes(engine) ? "pass" : text,
        }),
      ),
    );
  }

  keyInList(event) {
    const buttons = [...this.list.children];
    const at = buttons.indexOf(document.activeElement);
    const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    const button = buttons.at(next) ?? buttons[0];
    buttons[at].tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
  }
}

// The squares of a picture that is a board of squares; null for other pictures.
function measure(svg) {
  const size = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg);
  if (!size) return null;
  const [width, height] = [Number(size[1]), Number(size[2])];
  const [files, ranks] = [width, height].map((side) => (side - 2 * MARGIN) / CELL);
  const drawn = svg.split(`width="${CELL}" height="${CELL}"`).length - 1;
  if (!Number.isInteger(files) || !Number.isInteger(ranks) || drawn !== files * ranks) return null;
  const first = /<text x="11" y="44\.5"[^>]*>(\d+)</.exec(svg)?.[1];
  return { width, height, files, ranks, isFirstOnTop: first === "1" && ranks > 1 };
}

function ratioOf(svg) {
  const size = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg);
  return size ? `${size[1]} / ${size[2]}` : "1";
}

function nameAt({ ranks, isFirstOnTop }, file, row) {
  return `${String.fromCharCode(97 + file)}${isFirstOnTop ? row + 1 : ranks - row}`;
}

// `e2e4` goes from e2 to e4, `e7e8q` leaves a rest, `f5` is only put there, and a pass names no square.
function squaresOf(engine) {
  const found = /^([a-z]\d+)(?:([a-z]\d+)([a-z])?)?$/.exec(engine);
  if (!found) return {};
  const [, from, to, rest] = found;
  return { from, ...(to && { to }), ...(rest && { rest }) };
}

// What stands on the squares, for those who cannot see the picture: rows as in FEN, or one letter for each square.
function readPieces(position, grid) {
  const pieces = new Map();
  if (!grid) return pieces;
  const board = position.split(" ")[0];
  const isFen = board.includes("/");
  const letters = board.replace(/\d+/g, (many) => " ".repeat(Number(many))).replaceAll("/", "");
  if (letters.length !== grid.files * grid.ranks) return pieces;
  const isChess = /k/i.test(letters);
  [...letters].forEach((letter, at) => {
    const name = nameAt(grid, at % grid.files, Math.floor(at / grid.files));
    if (isFen && isChess && PIECES[letter.toLowerCase()])
      pieces.set(name, `${letter < "a" ? "white" : "black"} ${PIECES[letter.toLowerCase()]}`);
    else if ("bBxX".includes(letter)) pieces.set(name, "black");
    else if ("wWoO".includes(letter)) pieces.set(name, "white");
  });
  return pieces;
}
