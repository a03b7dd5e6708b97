// Games, profiles, and a position that grows by moves.

import { api, workAddress } from "./api.js";
import { element } from "./dom.js";

let known = null;

// The games and profiles that the studio has. Asked once; after a failure, again.
export function catalogue() {
  known ??= api.games().catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

// The names of both players, the one who begins first.
export function players(view, moves) {
  const other = view.players.find((name) => name !== view.turn);
  return moves.length % 2 ? [other, view.turn] : [view.turn, other];
}

// A position and the moves played from it, with the server's view of what came out.
export class Line {
  constructor(game, position = "", moves = []) {
    this.game = game;
    this.position = position;
    this.moves = moves;
    this.view = null;
    this.turn = 0;
    // Seen from the second player's side. The view says so too, because it may be older.
    this.isTurned = false;
  }

  // Goes to other moves, or to another position. Nothing changes where the server refuses; null where a later wish came
  // between.
  async change({ game = this.game, position = this.position, moves = this.moves }) {
    const turn = (this.turn += 1);
    let view;
    // Whoever turns the board meanwhile sees it turned.
    do view = await see(game, position, moves, this.isTurned);
    while (turn === this.turn && view.isTurned !== this.isTurned);
    if (turn !== this.turn) return null;
    Object.assign(this, { game, position, moves, view });
    return view;
  }

  // Looks from this side. Null where the position changed meanwhile: then it is seen from this side already.
  async look(isTurned) {
    this.isTurned = isTurned;
    const { game, position, moves, view: before } = this;
    let view;
    try {
      view = await see(game, position, moves, isTurned);
    } catch (error) {
      this.isTurned = this.view.isTurned;
      throw error;
    }
    if (this.view !== before || this.isTurned !== isTurned) return null;
    this.view = view;
    return view;
  }

  play(engine) {
    return this.change({ moves: [...this.moves, engine] });
  }

  takeBack(many = 1) {
    return this.change({ moves: this.moves.slice(0, Math.max(0, this.moves.length - many)) });
  }

  get task() {
    return { game: this.game, position: this.position, moves: this.moves.join(",") };
  }
}

async function see(game, position, moves, isTurned) {
  return { ...(await api.board(game, position, moves, isTurned)), isTurned };
}

const BUSY = 503;
const TRIES = 5;
const WAIT_MS = 250;

// One search on the server, which ends with `stop`. The listener is told by `progress`, and then by either `done` or
// `failed`.
export class Search {
  constructor(task, { progress, done, failed }, what = "analyse") {
    this.address = workAddress(what, task);
    this.listener = { progress, done, failed };
    this.isOver = false;
    this.tries = 0;
    this.open();
  }

  open() {
    if (this.isOver) return;
    this.hasSpoken = false;
    this.source = new EventSource(this.address);
    const hear = (name, then) =>
      this.source.addEventListener(name, (event) => {
        this.hasSpoken = true;
        if (!this.isOver) then(JSON.parse(event.data));
      });
    hear("progress", (data) => this.listener.progress?.(data));
    hear("done", (data) => this.end(() => this.listener.done?.(data)));
    hear("failed", ({ error }) => this.end(() => this.listener.failed?.(error)));
    this.source.onerror = () => this.explain();
  }

  stop() {
    this.isOver = true;
    this.source.close();
  }

  end(then) {
    if (this.isOver) return;
    this.stop();
    then();
  }

  // An event source does not say why it was refused; the same request by other means does.
  async explain() {
    this.source.close();
    if (this.isOver) return;
    if (this.hasSpoken) {
      this.end(() => this.listener.failed?.("The search was cut off. Is the studio still running?"));
      return;
    }
    const abort = new AbortController();
    let why = "The studio does not answer. Is it still running?";
    let status = 0;
    try {
      const response = await fetch(this.address, { credentials: "same-origin", signal: abort.signal });
      status = response.status;
      if (response.ok) why = "The search was cut off.";
      else why = (await response.json().catch(() => null))?.error ?? `The studio answered with status ${status}.`;
    } catch {
      // The studio is gone; that is said already.
    }
    abort.abort();
    // A search that was stopped just now may still hold its place.
    if (status === BUSY && this.tries < TRIES) {
      this.tries += 1;
      setTimeout(() => this.open(), WAIT_MS);
    } else this.end(() => this.listener.failed?.(sentence(why)));
  }
}

export function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

// ---- controls that pages share

export function field(label, control, extra = "") {
  return element("label", { class: `field ${extra}` }, element("span", { text: label }), control);
}

export function gameChoice(games, chosen, onChange) {
  return element(
    "select",
    { onchange: (event) => onChange(event.target.value) },
    games.map(({ name, title }) => element("option", { value: name, selected: name === chosen, text: title })),
  );
}

export function profileChoice(profiles, chosen, onChange = () => {}) {
  const select = element(
    "select",
    {},
    profiles.map(({ name, description }) =>
      element("option", { value: name, selected: name === chosen, title: description, text: name }),
    ),
  );
  const tell = () => {
    select.title = profiles.find(({ name }) => name === select.value)?.description ?? "";
  };
  select.addEventListener("change", () => {
    tell();
    onChange(select.value);
  });
  tell();
  return select;
}

const LIMITS = {
  endless: { name: "No limit", unit: "", value: 0, max: 0, factor: 1, step: 0 },
  depth: { name: "Depth", unit: "plies", value: 10, max: 100, factor: 1, step: 1 },
  nodes: { name: "Nodes", unit: "nodes", value: 1_000_000, max: 1_000_000_000, factor: 1, step: 1 },
  movetime: { name: "Time", unit: "seconds", value: 5, max: 600, factor: 1000, step: 0.1 },
};

// Levels by number, for who plays a person.
const LEVEL_NAMES = [
  "Newcomer",
  "Beginner",
  "Learner",
  "Casual",
  "Hobby",
  "Regular",
  "Club",
  "Strong club",
  "Expert",
  "Full force",
];

// How strong an opponent is: a level, a rating that was measured, or limits of one's own.
export class StrengthChoice {
  constructor({ onChange }) {
    this.limit = new LimitChoice("movetime", { movetime: 1, depth: 6, nodes: 100_000 });
    this.kind = element("select", {
      onchange: () => {
        this.show();
        onChange();
      },
    });
    this.own = field("Limit", this.limit.box);
    this.fill([]);
  }

  // `ratings` are those that the game has players of.
  fill(ratings) {
    const { value } = this.kind;
    const option = ([key, text]) => element("option", { value: key, text });
    const levels = LEVEL_NAMES.map((name, at) => [`level ${at + 1}`, `${at + 1} · ${name}`]);
    const rated = ratings.map((elo) => [`elo ${elo}`, `${elo} Elo`]);
    this.kind.replaceChildren(
      element("optgroup", { label: "Levels" }, levels.map(option)),
      ratings.length ? element("optgroup", { label: "Ratings" }, rated.map(option)) : "",
      element("optgroup", { label: "Yours" }, option(["own", "Profile and limit"])),
    );
    this.choose(value || "level 4");
  }

  choose(kind) {
    const isThere = [...this.kind.options].some(({ value }) => value === kind);
    this.kind.value = isThere ? kind : "level 4";
    this.show();
  }

  show() {
    this.own.hidden = !this.isOwn;
  }

  get isOwn() {
    return this.kind.value === "own";
  }

  // Its name for a record.
  get name() {
    const { value, selectedOptions } = this.kind;
    return value.startsWith("level") ? `level ${selectedOptions[0].text}` : selectedOptions[0].text;
  }

  // The limit as the server wants it; throws what is wrong with it.
  read() {
    if (this.isOwn) return this.limit.read();
    const [name, number] = this.kind.value.split(" ");
    return { [name]: number };
  }

  // What was chosen, to be set again.
  get choice() {
    return { strength: this.kind.value, ...this.limit.choice };
  }

  set choice(choice) {
    this.limit.choice = choice;
    this.choose(choice.strength);
  }
}

// How long to search: so deep, so many nodes, or so much time. Each kind remembers its own number.
export class LimitChoice {
  // `kinds` are those to choose from.
  constructor(kind, values = {}, kinds = ["depth", "nodes", "movetime"]) {
    this.values = Object.fromEntries(Object.entries(LIMITS).map(([key, { value }]) => [key, values[key] ?? value]));
    this.kind = element(
      "select",
      { "aria-label": "Limit by", onchange: () => this.show() },
      kinds.map((key) => [key, LIMITS[key]]).map(([key, { name }]) =>
        element("option", { value: key, selected: key === kind, text: name }),
      ),
    );
    this.number = element("input", {
      type: "number",
      "aria-label": "Limit",
      oninput: () => {
        this.values[this.kind.value] = this.number.valueAsNumber;
      },
    });
    this.unit = element("span", { class: "unit" });
    this.box = element("span", { class: "limit" }, this.kind, this.number, this.unit);
    this.show();
  }

  show() {
    const { unit, max, step } = LIMITS[this.kind.value];
    Object.assign(this.number, { min: step, max, step, value: this.values[this.kind.value] });
    this.unit.textContent = unit;
    this.number.hidden = this.kind.value === "endless";
  }

  // What was chosen, to be set again.
  get choice() {
    return { kind: this.kind.value, values: this.values };
  }

  set choice({ kind, values }) {
    if (kind in LIMITS) this.kind.value = kind;
    for (const key of Object.keys(LIMITS)) this.values[key] = values[key] ?? this.values[key];
    this.show();
  }

  // The limit as the server wants it; throws what is wrong with it.
  read() {
    if (this.kind.value === "endless") return {};
    const { max, factor, unit, step } = LIMITS[this.kind.value];
    const value = this.number.valueAsNumber;
    if (!(value >= step && value <= max)) {
      this.number.focus();
      throw new Error(`The limit is a number of ${unit} from ${step} to ${max.toLocaleString("en")}.`);
    }
    return { [this.kind.value]: Math.round(value * factor) };
  }
}
