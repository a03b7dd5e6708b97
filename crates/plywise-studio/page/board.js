// A board to play on: the server's picture, with a button over each place, and the legal moves as a list.

import { draw, piecesOf } from "./art.js";
import { Arrows } from "./arrows.js";
import { element } from "./dom.js";
import { move } from "./motion.js";
import { neighbour, placesOf, readPicture, withWays } from "./places.js";

const PASSES = ["0000", "pass"];
const PROMOTIONS = { q: "queen", r: "rook", b: "bishop", n: "knight" };

export class Board {
  // `onMove` is told an engine move, `onTurn` that somebody wants to look from the other side.
  constructor({ onMove, onTurn }) {
    this.onMove = onMove;
    this.isEnabled = true;
    // While a position is set up, pieces go where they are put, and no move is played.
    this.setup = null;
    this.view = null;
    // The places that were clicked on the way to a move.
    this.picked = [];
    this.places = new Map();
    this.cursor = null;
    this.squares = new Map();
    this.picture = element("div", { class: "board-picture", role: "img", hidden: true });
    this.arrows = new Arrows();
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
    this.figure = element("figure", { class: "board live" }, this.picture, this.arrows.box, this.cover, this.lifted);
    this.list = element("div", {
      class: "move-list",
      role: "group",
      "aria-label": "Legal moves",
      onclick: (event) => event.target.dataset.engine && this.play(event.target.dataset.engine),
      onkeydown: (event) => this.keyInList(event),
    });
    this.summary = element("summary", { text: "Legal moves" });
    this.moves = element("details", { class: "moves" }, this.summary, this.list);
    this.turner = turnButton(onTurn);
    this.prompt = element("p", { class: "prompt quiet-text", "aria-live": "polite", hidden: true });
    this.pass = element("button", {
      class: "button strong",
      type: "button",
      hidden: true,
      text: "Pass",
      onclick: () => this.play(this.passMove),
    });
    this.choice = element("dialog", {
      class: "promotion",
      "aria-label": "Promote to",
      onclick: (event) => event.target === this.choice && this.choice.close(),
    });
    const foot = element("div", { class: "board-foot" }, this.moves, this.turner);
    this.box = element("div", { class: "board-box" }, this.figure, this.prompt, this.pass, foot, this.choice);
  }

  // Shows a position. `words` is the move that led to it.
  show(view, { words = "" } = {}) {
    const hadFocus = this.cover.contains(document.activeElement);
    const isSame = view.position === this.view?.position;
    if (!isSame) this.hint = null;
    this.view = view;
    this.letGo();
    this.choice.close();
    this.picked = [];
    const before = this.shown;
    this.shown = readPicture(view.svg);
    this.picture.replaceChildren(this.shown.root);
    if (!isSame) move(before, this.shown, this.dropped);
    this.dropped = null;
    const label = `Board${words ? ` after ${words}` : ""}. ${view.over ?? `${view.turn} to move`}. ${view.position}`;
    this.picture.setAttribute("aria-label", label);
    this.picture.hidden = false;
    this.lay(this.shown);
    this.arrows.lay(this.shown);
    // Positions are written row by row from the top, as the first player sees them.
    this.order = view.isTurned ? [...this.places.keys()].reverse() : [...this.places.keys()];
    this.pieces = this.shown.pieces;
    this.legal = withWays(view.moves, this.pieces, this.isHexagon);
    this.passMove = this.legal.find(({ engine }) => PASSES.includes(engine))?.engine ?? null;
    this.fillList();
    this.paint();
    if (hadFocus) this.squares.get(this.cursor)?.focus();
  }

  enable(isEnabled) {
    this.isEnabled = isEnabled;
    if (!isEnabled) this.picked = [];
    if (this.view) this.paint();
  }

  // Begins to arrange pieces, or ends it where there is no setup.
  arrange(setup) {
    this.setup = setup;
    this.picked = [];
    this.paint();
  }

  // Marks a move that somebody is advised to play.
  showHint(engine) {
    this.hint = engine;
    this.paint();
  }

  focus() {
    if (this.isClickable) this.squares.get(this.cursor)?.focus();
    else {
      this.moves.open = true;
      this.list.querySelector("button")?.focus();
    }
  }

  // ---- the places

  lay({ width, height, places }) {
    this.figure.style.aspectRatio = `${width} / ${height}`;
    const isClickable = places.size > 0;
    this.cover.hidden = this.turner.hidden = !isClickable;
    // Where no place can be clicked, the list is the way to play.
    if (this.isClickable !== isClickable) this.moves.open = !isClickable;
    this.isClickable = isClickable;
    if (this.isLaid(places)) return;
    this.places = places;
    this.isHexagon = [...places.values()].some(({ isRound }) => isRound);
    this.squares.clear();
    for (const { name, isRound, x, y, wide, high } of places.values()) {
      const square = element("button", { type: "button", class: "square", data: { square: name } });
      square.classList.toggle("round", isRound);
      Object.assign(square.style, {
        left: `${(100 * (x - wide / 2)) / width}%`,
        top: `${(100 * (y - high / 2)) / height}%`,
        width: `${(100 * wide) / width}%`,
        height: `${(100 * high) / height}%`,
      });
      this.squares.set(name, square);
    }
    if (!places.has(this.cursor)) {
      const lowest = Math.max(...[...places.values()].map(({ y }) => y));
      this.cursor = [...places.values()].find(({ y }) => y === lowest)?.name ?? null;
    }
    this.aim = places.get(this.cursor);
    this.cover.replaceChildren(...this.squares.values());
  }

  isLaid(places) {
    const now = [...this.places.values()];
    const isSame = (one, other) => ["name", "x", "y", "wide", "high"].every((key) => one[key] === other[key]);
    return now.length === places.size && [...places.values()].every((place, at) => isSame(place, now[at]));
  }

  // The ways that go on from these places.
  waysFrom(picked) {
    if (!this.isEnabled) return [];
    const ways = this.legal.flatMap((move) => move.ways.map((way) => ({ way, move })));
    return ways.filter(({ way }) => way.length > picked.length && picked.every((name, at) => way[at] === name));
  }

  paint() {
    const { picked } = this;
    if (this.setup) {
      this.paintSetup();
      return;
    }
    const next = this.waysFrom(picked).filter(({ way }) => picked.length || way.length === 1);
    const sources = new Set(this.waysFrom([]).flatMap(({ way }) => (way.length > 1 ? [way[0]] : [])));
    const targets = new Set(next.filter(({ way }) => way.length === picked.length + 1).map(({ way }) => way.at(-1)));
    const ends = new Set(next.map(({ way }) => way[picked.length]).filter((name) => !targets.has(name)));
    const hint = this.hint ? placesOf(this.hint) : [];
    const chosen = new Set([...picked, this.between(picked)]);
    for (const [name, button] of this.squares) {
      const piece = this.pieces.get(name);
      const told = [name, piece?.name];
      if (chosen.has(name)) told.push("chosen");
      if (targets.has(name)) told.push("can be moved to");
      else if (ends.has(name)) told.push("the other end of a line");
      else if (sources.has(name) && !picked.includes(name)) told.push("can move");
      if (hint.includes(name)) told.push("hint");
      button.setAttribute("aria-label", told.filter(Boolean).join(", "));
      button.tabIndex = name === this.cursor ? 0 : -1;
      button.classList.toggle("source", sources.has(name));
      this.tint(name, { chosen: chosen.has(name), hint: hint.includes(name) });
      button.classList.toggle("target", targets.has(name));
      button.classList.toggle("end", ends.has(name));
      button.classList.toggle("taken", targets.has(name) && piece !== undefined);
    }
    this.tellPrompt(ends);
    this.pass.hidden = !(this.passMove && this.isEnabled);
    for (const button of this.list.children) button.disabled = !this.isEnabled;
  }

  // Colours a place below what stands on it.
  tint(name, colours) {
    const { shape } = this.shown.places.get(name);
    for (const [colour, isOn] of Object.entries(colours)) shape.classList.toggle(colour, isOn);
  }

  // The marble in the middle of a line of three, if its ends were picked.
  between([first, second]) {
    if (!this.isHexagon || !second) return null;
    const [one, other] = [this.places.get(first), this.places.get(second)];
    const isMiddle = ({ x, y }) => Math.hypot(2 * x - one.x - other.x, 2 * y - one.y - other.y) < 2;
    return [...this.places.values()].find(isMiddle)?.name ?? null;
  }

  // What to click next, where that is not obvious.
  tellPrompt(ends) {
    const [first, second] = this.picked;
    this.prompt.hidden = !this.isHexagon;
    if (!this.isEnabled) this.prompt.textContent = "";
    else if (second) this.prompt.textContent = `The line ${first}–${second}: now where ${first} goes.`;
    else if (first && ends.size) this.prompt.textContent = `${first}: where it goes, or the other end of a line.`;
    else if (first) this.prompt.textContent = `${first}: where it goes.`;
    else this.prompt.textContent = "Pick a marble, or both ends of a line.";
  }

  // The number of a place as positions are written.
  numberOf(name) {
    return this.order.indexOf(name);
  }

  paintSetup() {
    const [chosen] = this.picked;
    for (const [name, button] of this.squares) {
      const told = [name, this.pieces.get(name)?.name ?? "empty", name === chosen && "chosen"];
      button.setAttribute("aria-label", told.filter(Boolean).join(", "));
      button.tabIndex = name === this.cursor ? 0 : -1;
      button.classList.remove("target", "end", "taken");
      button.classList.toggle("source", this.pieces.has(name));
      this.tint(name, { chosen: name === chosen, hint: false });
    }
    this.prompt.hidden = true;
    this.pass.hidden = true;
    for (const button of this.list.children) button.disabled = true;
  }

  takeInSetup(name) {
    const { setup } = this;
    const [chosen] = this.picked;
    this.picked = [];
    if (setup.tool) setup.put(this.numberOf(name));
    else if (chosen && chosen !== name) setup.move(this.numberOf(chosen), this.numberOf(name));
    else if (!chosen && this.pieces.has(name)) this.picked = [name];
    this.paint();
  }

  click(event) {
    const name = event.target.dataset.square;
    if (!name || !this.isEnabled) return;
    this.cursor = name;
    this.aim = this.places.get(name);
    this.take(name);
  }

  take(name) {
    if (this.setup) {
      this.takeInSetup(name);
      return;
    }
    if (this.goOn(name)) return;
    const { picked } = this;
    if (picked.includes(name)) this.picked = picked.slice(0, picked.indexOf(name));
    else this.picked = this.waysFrom([name]).length ? [name] : [];
    this.paint();
  }

  // Goes on to a place and plays the move that ends there; where there are several, asks. False where no way leads there.
  goOn(name) {
    const path = [...this.picked, name];
    const ways = this.waysFrom(this.picked).filter(({ way }) => way[this.picked.length] === name);
    const moves = new Set(ways.filter(({ way }) => way.length === path.length).map(({ move }) => move));
    if (!ways.length) return false;
    this.picked = moves.size ? [] : path;
    if (moves.size === 1) this.play([...moves][0].engine);
    else if (moves.size) this.ask([...moves]);
    else this.paint();
    return true;
  }

  // Asks for the piece that a pawn becomes, at the square where it arrives.
  async ask(moves) {
    this.paint();
    const order = "qrbn";
    const sorted = moves.toSorted((one, other) => order.indexOf(one.rest) - order.indexOf(other.rest));
    const [from, to] = sorted[0].path;
    const colour = this.pieces.get(from)?.name.split(" ")[0];
    const { view } = this;
    const pieces = await piecesOf("chess");
    if (this.view !== view) return;
    const buttons = sorted.map(({ engine, rest, text }) => {
      const drawn = pieces.get(`${colour} ${PROMOTIONS[rest]}`);
      return element(
        "button",
        {
          class: "promotion-piece",
          type: "button",
          "aria-label": PROMOTIONS[rest] ?? text,
          title: PROMOTIONS[rest] ?? text,
          onclick: () => {
            this.choice.close();
            this.play(engine);
          },
        },
        drawn ? draw(drawn) : text,
      );
    });
    const { left, top, width, bottom } = this.squares.get(to).getBoundingClientRect();
    const isAbove = top > innerHeight / 2;
    this.choice.replaceChildren(...(isAbove ? buttons.reverse() : buttons));
    Object.assign(this.choice.style, {
      left: `${left}px`,
      top: `${isAbove ? bottom - buttons.length * width : top}px`,
      width: `${width}px`,
    });
    this.choice.showModal();
    buttons.find((each) => each.title === "queen")?.focus();
  }

  play(engine) {
    if (!this.isEnabled || !engine) return;
    this.picked = [];
    this.onMove(engine);
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Escape" && this.picked.length) {
      this.picked = [];
      this.paint();
      return;
    }
    const step = steps[event.key];
    if (!step || !this.cursor) return;
    event.preventDefault();
    const here = this.places.get(this.cursor);
    // An arrow across the last one begins a line of its own.
    const isUpright = step[0] === 0;
    if (this.isUpright !== isUpright) this.aim = here;
    this.isUpright = isUpright;
    this.cursor = neighbour(this.places, this.cursor, step, this.aim) ?? this.cursor;
    for (const [name, button] of this.squares) button.tabIndex = name === this.cursor ? 0 : -1;
    this.squares.get(this.cursor).focus();
  }

  // ---- dragging

  grab(event) {
    const name = event.target.dataset.square;
    if (!this.isEnabled || event.button !== 0 || !event.target.classList.contains("source")) return;
    // Without this, a touch would keep sending everything to the place where it began.
    event.target.releasePointerCapture?.(event.pointerId);
    this.held = { name, x: event.clientX, y: event.clientY, isMoving: false };
  }

  drag(event) {
    const { held } = this;
    if (!held) return;
    if (!held.isMoving && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 6) return;
    const frame = this.figure.getBoundingClientRect();
    if (!held.isMoving) {
      held.isMoving = true;
      // Only now: a capture from the start would take the click away from the place.
      this.cover.setPointerCapture(event.pointerId);
      this.picked = this.pickedBy(held.name);
      this.paint();
      this.lift(held);
    }
    this.lifted.style.transform = `translate(${event.clientX - frame.left}px, ${event.clientY - frame.top}px)`;
  }

  // Takes the piece off its place; the place stays.
  lift({ name }) {
    const { drawn } = this.pieces.get(name);
    drawn.classList.add("away");
    const { width } = this.figure.getBoundingClientRect();
    const size = (45 / this.shown.width) * width;
    this.lifted.style.setProperty("--size", `${size}px`);
    this.lifted.replaceChildren(draw(drawn));
    this.lifted.hidden = false;
  }

  // A line that was picked is dragged by either end.
  pickedBy(name) {
    const [first, second] = this.picked;
    if (second === name) return [second, first];
    return second && first === name ? this.picked : [name];
  }

  drop(event) {
    const { held } = this;
    this.letGo();
    if (!held) return;
    const target = this.placeAt(event.clientX, event.clientY);
    if (target === held.name) return;
    if (this.setup) {
      if (!held.isMoving) return;
      this.picked = [];
      this.setup.move(this.numberOf(held.name), target ? this.numberOf(target) : null);
      return;
    }
    if (!held.isMoving) this.picked = this.pickedBy(held.name);
    else this.dropped = target;
    if (!target || !this.goOn(target)) {
      this.picked = [];
      this.paint();
    }
  }

  // The place at a point of the screen; between round ones, the nearest.
  placeAt(x, y) {
    const under = document.elementFromPoint(x, y)?.closest?.("[data-square]");
    if (under && this.cover.contains(under)) return under.dataset.square;
    if (!this.isHexagon) return null;
    for (const [name, square] of this.squares) {
      const { left, top, width, height } = square.getBoundingClientRect();
      if (Math.hypot(x - left - width / 2, y - top - height / 2) < 0.65 * width) return name;
    }
    return null;
  }

  letGo() {
    this.held = null;
    for (const { drawn } of this.shown?.pieces.values() ?? []) drawn.classList.remove("away");
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

// The button that shows a board from its other side.
export function turnButton(onclick, keys = "f") {
  return element("button", {
    class: "button quiet small turner",
    type: "button",
    text: "Turn the board",
    title: `See it from the other side (${keys})`,
    onclick,
  });
}
