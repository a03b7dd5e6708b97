// A game of a run, move by move.

import { api } from "./api.js";
import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { element, say } from "./dom.js";
import { forFirst, minus, readScore } from "./format.js";
import { players, sentence } from "./games.js";
import { keepInView } from "./move-list.js";
import { lineAddress, runAddress, runGameAddress } from "./route.js";
import { setOff } from "./run-games.js";
import { setText } from "./run-parts.js";
import { isTurned, rememberTurned } from "./storage.js";

const PAGE = "runs";
const POINTS = { "1-0": ["1", "0"], "0-1": ["0", "1"], "1/2-1/2": ["½", "½"], "½-½": ["½", "½"] };

export class Replay {
  // `run` is the run, `game` the game as the server tells them.
  constructor(run, game) {
    this.run = run;
    this.game = game;
    this.ply = 0;
    this.isTurned = isTurned(PAGE);
    this.isSecondFirst = false;
    // What people call the first player, whose scores are shown.
    this.first = "the first player";
    this.views = new Map();
    this.board = new Board({ onMove: () => {}, onTurn: () => this.turnBoard() });
    this.board.enable(false);
    this.chart = new Chart({ onPick: (ply) => this.go(ply) });
    this.seats = [0, 1].map(() => {
      const [name, points] = [element("span", { class: "seat-name" }), element("b")];
      return { name, points, box: element("p", { class: "seat" }, name, points) };
    });
    this.seatBoxes = this.seats.map(() => element("div"));
    this.buttons = [
      stepButton("⇤", "The start (Home)", () => this.go(0)),
      stepButton("←", "A move back (←)", () => this.step(-1)),
      stepButton("→", "A move forward (→)", () => this.step(1)),
      stepButton("⇥", "The end (End)", () => this.go(Infinity)),
    ];
    this.analyse = element("a", { class: "button", text: "Analyse" });
    this.status = element("p", { class: "turn", "aria-live": "polite" });
    this.told = element("p", { class: "quiet-text replay-told" });
    this.list = element("div", { class: "replay-moves", onclick: (event) => this.click(event) });
    this.frame = element(
      "div",
      { class: "replay-frame", tabindex: "0", role: "region", "aria-label": "Moves of the game" },
      this.list,
    );
    this.before = element("a", {
      class: "button small",
      text: game.number > 1 ? `← Game ${game.number - 1}` : "← Game",
      title: "The game before ([)",
    });
    this.after = element("a", { class: "button small", text: `Game ${game.number + 1} →`, title: "The game after (])" });
    this.box = this.build();
    this.fillMoves();
    this.showScores();
    this.linkGames();
  }

  build() {
    const { run, game } = this;
    const [one, other] = game.players;
    return element(
      "div",
      { class: "runs-body replay" },
      element(
        "nav",
        { class: "run-crumbs", "aria-label": "Where this is" },
        element("a", { href: "#/runs", text: "Runs" }),
        element("a", { href: runAddress(run.id), text: run.name }),
        element("span", { "aria-current": "page", text: `Game ${game.number}` }),
        element("span", { class: "push" }),
        element("span", { class: "neighbours" }, this.before, this.after),
      ),
      element("h1", { class: "replay-title", text: `${one} – ${other}  ${game.result}` }),
      element("p", { class: "quiet-text", text: sentence(game.ending || "no ending is known") }),
      element(
        "div",
        { class: "replay-work" },
        element(
          "section",
          { class: "board-side", "aria-label": "Board" },
          this.seatBoxes[1],
          this.board.box,
          this.seatBoxes[0],
          element(
            "div",
            { class: "bar-row replay-steps" },
            element("div", { class: "steps", role: "group", "aria-label": "Moves" }, this.buttons),
            element("span", { class: "push" }),
            this.board.turner,
            this.analyse,
          ),
        ),
        element(
          "section",
          { class: "search-side", "aria-label": "Game" },
          element("div", { class: "card" }, this.status, this.told, this.frame),
          this.chart.box,
        ),
      ),
    );
  }

  linkGames() {
    const { run, game } = this;
    const link = (anchor, number, isThere) => {
      setOff(anchor, !isThere);
      if (isThere) anchor.href = runGameAddress(run.id, number);
    };
    link(this.before, game.number - 1, game.number > 1);
    link(this.after, game.number + 1, game.number < run.games);
  }

  goToGame(by) {
    const link = by < 0 ? this.before : this.after;
    if (link.href) location.hash = link.hash;
    else say(by < 0 ? "This is the first game." : "This is the last game so far.");
  }

  // ---- where in the game

  get length() {
    return this.game.moves.length;
  }

  step(by) {
    this.go(this.ply + by);
  }

  go(ply) {
    this.ply = Math.min(this.length, Math.max(0, ply));
    history.replaceState(null, "", runGameAddress(this.run.id, this.game.number, this.ply || null));
    this.showPly();
    return this.showBoard();
  }

  turnBoard() {
    this.isTurned = !this.isTurned;
    rememberTurned(PAGE, this.isTurned);
    return this.showBoard();
  }

  click(event) {
    const button = event.target.closest("[data-ply]");
    if (button) this.go(Number(button.dataset.ply));
  }

  showPly() {
    const { ply, game } = this;
    const here = this.list.querySelector("[aria-current]");
    here?.removeAttribute("aria-current");
    const button = this.list.querySelector(`[data-ply="${ply}"]`);
    button?.setAttribute("aria-current", "true");
    if (button) keepInView(this.frame, button);
    else this.frame.scrollTop = 0;
    const note = game.notes?.[ply - 1];
    const player = game.players[this.sideOf(ply)];
    setText(this.status, ply === 0 ? "The start" : `${this.numberOf(ply)} ${this.textOf(ply)}`);
    setText(this.told, ply === 0 ? this.length === 1 ? "1 ply follows." : `${this.length} plies follow.` : `${player}: ${thought(note, this.scoreAt(ply), this.first) || "no score"}`);
    const [first, back, forward, last] = this.buttons;
    for (const each of [first, back]) setOff(each, ply === 0);
    for (const each of [forward, last]) setOff(each, ply === this.length);
    this.analyse.href = lineAddress("analyse", { game: game.game, position: game.start, moves: game.moves.slice(0, ply) });
    this.chart.pin(ply);
  }

  // Keys that are held down pass many positions; one is fetched at a time, and then the one that is wanted by now.
  async showBoard() {
    if (this.isFetching) return;
    this.isFetching = true;
    const { game } = this;
    try {
      for (;;) {
        const { ply, isTurned: turned } = this;
        const key = `${ply} ${turned}`;
        const moves = game.moves.slice(0, ply);
        const view = this.views.get(key) ?? (await api.board(game.game, game.start, moves, turned));
        this.views.set(key, view);
        if (ply !== this.ply || turned !== this.isTurned) continue;
        this.board.show({ ...view, isTurned: turned }, { last: moves.at(-1), words: this.textOf(ply) });
        this.showSeats(view, moves);
        break;
      }
    } catch (error) {
      say(sentence(error.message), true);
    } finally {
      this.isFetching = false;
    }
  }

  // ---- the players

  // Which player made the move that led to a ply.
  sideOf(ply) {
    return (ply + 1 + Number(this.isSecondFirst)) % 2;
  }

  showSeats(view, moves) {
    const isSecondFirst = view.first_to_move !== undefined && view.first_to_move !== (moves.length % 2 === 0);
    if (isSecondFirst !== this.isSecondFirst) {
      this.isSecondFirst = isSecondFirst;
      this.fillMoves();
      this.showScores();
      this.showPly();
    }
    const names = players(view, moves);
    if (isSecondFirst) names.reverse();
    if (this.first !== names[0]) {
      [this.first] = names;
      this.showScores();
      this.showPly();
    }
    this.seats.forEach(({ name, points }, side) => {
      setText(name, `${names[side]} · ${this.game.players[side]}`);
      setText(points, POINTS[this.game.result]?.[side] ?? "");
    });
    this.seatBoxes.forEach((box, at) => {
      const seat = this.seats[this.isTurned ? 1 - at : at].box;
      if (box.firstChild !== seat) box.replaceChildren(seat);
    });
  }

  // ---- the moves

  textOf(ply) {
    return ply ? (this.game.notes?.[ply - 1]?.text ?? this.game.moves[ply - 1]) : "";
  }

  numberOf(ply) {
    const at = ply - 1 + Number(this.isSecondFirst);
    return `${Math.floor(at / 2) + 1}${at % 2 ? "…" : "."}`;
  }

  fillMoves() {
    const cells = [];
    if (this.isSecondFirst && this.length)
      cells.push(element("span", { class: "number", text: "1." }), element("span", { class: "ply", text: "…" }));
    for (let ply = 1; ply <= this.length; ply += 1) {
      if (this.sideOf(ply) === 0) cells.push(element("span", { class: "number", text: this.numberOf(ply) }));
      const score = this.scoreAt(ply);
      const label = [`${this.numberOf(ply)} ${this.textOf(ply)}`, score].filter(Boolean).join(", ");
      cells.push(
        element(
          "button",
          { type: "button", class: "ply", data: { ply }, "aria-label": label },
          element("b", { text: this.textOf(ply) }),
          element("span", { text: score ? minus(score) : "" }),
        ),
      );
    }
    if (!this.length) cells.push(element("p", { class: "quiet-text", text: "No move was played." }));
    this.list.replaceChildren(...cells);
  }

  // Each player tells the score as it sees it; shown, all are the first player's.
  scoreAt(ply) {
    const score = this.game.notes?.[ply - 1]?.score;
    return score ? forFirst(score, this.sideOf(ply) === 1) : score;
  }

  showScores() {
    const { game } = this;
    const found = (game.notes ?? []).map((_, at) => ({ ply: at + 1, ...readScore(this.scoreAt(at + 1)) }));
    const most = Math.max(1, ...found.map(({ value }) => Math.abs(value ?? 0)));
    const points = (side) =>
      found
        .filter(({ ply, value, end }) => this.sideOf(ply) === side && (value !== null || end))
        .map(({ ply, value, end }) => [ply, end ? end * most : value]);
    const [one, other] = game.players;
    const isSame = one === other;
    this.chart.box.hidden = !found.some(({ value, end }) => value !== null || end);
    this.chart.show({
      title: "Score over the game",
      x: "plies",
      y: `for ${this.first}`,
      log: false,
      span: [0, this.length],
      series: [
        { name: isSame ? `${one}, first` : one, points: points(0), band: null },
        { name: isSame ? `${other}, second` : other, points: points(1), band: null },
      ],
      lines: [],
    });
  }
}

// What a player thought at a move: its score, depth and time, as far as they are known.
function thought(note, score, first) {
  if (!note) return "";
  const told = [score && `${minus(score)} for ${first}`, isKnown(note.depth) && `depth ${note.depth}`];
  return [...told, isKnown(note.time_ms) && `${note.time_ms} ms`].filter(Boolean).join(", ");
}

function isKnown(figure) {
  return figure !== null && figure !== undefined;
}

export function stepButton(sign, title, onclick) {
  const label = title.replace(/ \(.*/, "");
  return element("button", { class: "button", type: "button", text: sign, title, "aria-label": label, onclick });
}
