// A game against a profile.

import { button } from "./analyse.js";
import { api } from "./api.js";
import { Board } from "./board.js";
import { element, say, table } from "./dom.js";
import { shortCount, value } from "./format.js";
import { catalogue, field, gameChoice, Line, players, profileChoice, Search, sentence, StrengthChoice } from "./games.js";
import { keepInView } from "./move-list.js";
import { nodesOf, pgn } from "./pgn.js";
import { stepButton } from "./replay.js";
import { lineAddress } from "./route.js";
import { isTurned, ownNumber, read, rememberTurned, write } from "./storage.js";

const GAME = "plywise.game";
const OPPONENT = "plywise.opponent";
// The game that is played, so that it outlives the page; that of a second page has a number behind its name.
const KEPT = "plywise.play";
const HINT_MS = 1000;
const TICK_MS = 200;
const OPEN = "*";

export class PlayPage {
  constructor(box) {
    this.box = box;
    this.line = null;
    this.search = null;
    this.clock = new Clock();
    this.clocks = [];
    setInterval(() => this.showClocks(), TICK_MS);
    addEventListener("pagehide", () => this.keep());
  }

  async show(asked) {
    if (!this.line) {
      this.box.replaceChildren(element("p", { class: "loading", text: "Setting up the board …" }));
      const { games, profiles } = await catalogue();
      const number = await ownNumber(KEPT);
      this.kept = number ? `${KEPT}.${number}` : KEPT;
      this.build(games, profiles);
      const saved = read(GAME);
      const game = games.some(({ name }) => name === saved) ? saved : games[0].name;
      const kept = asked ? null : this.readKept();
      if (kept) await this.restore(kept);
      else await this.setUp(asked ?? { game, position: "", moves: [] });
    } else if (asked && !this.isAt(asked)) await this.setUp(asked);
    // The address has served its purpose; the game goes on from here.
    if (!this.box.hidden) history.replaceState(null, "", "#/play");
    document.title = "Play · plywise studio";
  }

  isAt({ game, position, moves }) {
    return this.line.game === game && this.line.position === position && this.line.moves.join() === moves.join();
  }

  // ---- the parts

  build(games, profiles) {
    if (!games.length) throw new Error("The studio has no games.");
    this.games = games;
    this.line = new Line(games[0].name);
    this.board = new Board({ onMove: (engine) => this.human(engine), onTurn: () => this.turn() });
    this.game = gameChoice(games, null, (game) => {
      write(GAME, game);
      this.setUp({ game, position: "", moves: [] });
    });
    this.side = element(
      "select",
      { onchange: () => this.changeSide() },
      [
        ["0", "First"],
        ["1", "Second"],
        ["random", "By lot"],
      ].map(([key, text]) => element("option", { value: key, text })),
    );
    const saved = read(OPPONENT);
    const usual = profiles.find(({ name }) => name === saved) ?? profiles.find(({ name }) => name === "best") ?? profiles[0];
    this.profile = profileChoice(profiles, usual?.name, (name) => {
      write(OPPONENT, name);
      if (!this.isOn) this.showState();
    });
    this.limit = new StrengthChoice({
      onChange: () => {
        this.profileField.hidden = !this.limit.isOwn;
        if (!this.isOn) this.showState();
      },
    });
    this.profileField = field("Profile", this.profile);
    this.profileField.hidden = true;
    this.begin = element("button", {
      class: "button strong",
      type: "button",
      id: "play-begin",
      text: "New game",
      title: "New game (g)",
      onclick: () => this.newGame(),
    });
    this.back = button("Take back", () => this.takeBack(), "Your last move and the answer to it (b)");
    this.hint = button("Hint", () => this.giveHint(), "What the engine would play (h)");
    this.resign = button("Resign", () => this.giveUp(), "Give the game up");
    this.rematch = button("Rematch", () => this.playAgain(), "Another game with colours changed");
    this.steps = [
      stepButton("⇤", "The start (Home)", () => this.see(0)),
      stepButton("←", "A move back (←)", () => this.step(-1)),
      stepButton("→", "A move forward (→)", () => this.step(1)),
      stepButton("⇥", "The end (End)", () => this.see(Infinity)),
    ];
    this.status = element("p", { class: "turn", "aria-live": "polite" });
    this.thinking = element("p", { class: "thinking quiet-text" });
    this.again = button("Try again", () => this.goOn());
    this.again.hidden = true;
    this.clocks = [0, 1].map((side) => {
      const name = element("span", { class: "clock-name" });
      const time = element("span", { class: "clock-time", text: "0:00" });
      return { name, time, box: element("div", { class: "clock", data: { side } }, name, time) };
    });
    this.table = table(
      "Moves",
      [
        { title: "Move", cells: "number" },
        { title: "", cells: "name" },
        { title: "Score", cells: "figure" },
        { title: "Depth", cells: "figure" },
        { title: "Line the engine saw", cells: "pv" },
      ],
      "game-moves",
    );
    this.empty = element("p", { class: "quiet-text empty", text: "The moves will stand here, with what the engine thought." });
    this.record = element("textarea", { class: "mono", readonly: true, rows: 9, "aria-label": "The game as PGN" });
    this.analyse = element("a", { class: "button", href: "#/analyse", text: "Analyse" });

    this.box.replaceChildren(
      element(
        "section",
        { class: "board-side", "aria-label": "Board" },
        element("div", { class: "clocks" }, this.clocks.map(({ box }) => box)),
        this.board.box,
        element("div", { class: "status-row" }, this.status, this.again),
        this.thinking,
      ),
      element(
        "section",
        { class: "search-side", "aria-label": "Game" },
        element(
          "div",
          { class: "bar-row search-bar" },
          field("Game", this.game),
          field("You move", this.side),
          field("Opponent", this.limit.kind),
          this.profileField,
          this.limit.own,
          element("span", { class: "push" }),
          this.begin,
        ),
        element(
          "div",
          { class: "bar-row" },
          element("div", { class: "steps", role: "group", "aria-label": "Steps" }, this.steps),
          this.back,
          this.hint,
          this.resign,
          this.rematch,
          this.analyse,
        ),
        element("section", { class: "card", "aria-label": "Moves" }, this.empty, this.table.box),
        element(
          "details",
          { class: "card pgn" },
          element("summary", { text: "The game as PGN" }),
          this.record,
          element(
            "div",
            { class: "bar-row" },
            button("Copy", () => this.copy()),
            button("Download", () => this.download()),
          ),
        ),
      ),
    );
  }

  // ---- the course of a game

  // A position to begin from. The game begins with the first move, or with the button.
  async setUp(asked) {
    if (!(await this.load(asked))) return;
    this.showPosition();
    this.keep();
    if (this.line.isTurned !== this.isHumanSecond) await this.look(this.isHumanSecond);
  }

  // Goes to a position, or to the start where it is refused. False where everything stays as it was.
  async load({ game, position, moves }) {
    this.halt();
    this.isOn = false;
    try {
      const view = await this.line.change({ game, position, moves });
      if (!view) return false;
      this.begins = moves.length;
    } catch (error) {
      if (this.line.view) {
        say(sentence(error.message), true);
        return false;
      }
      if (error.status < 400 || error.status >= 500) {
        this.line = null;
        throw error;
      }
      say(sentence(error.message), true);
      await this.line.change({ game: this.games[0].name, position: "", moves: [] });
      this.begins = 0;
    }
    this.game.value = this.line.game;
    this.limit.fill(this.about.ratings ?? []);
    const names = players(this.line.view, this.line.moves);
    [...this.side.options].slice(0, 2).forEach((option, at) => {
      option.text = `${at ? "Second" : "First"}, ${names[at]}`;
    });
    // From a position of one's own, one plays the side to move.
    if (moves.length || position) this.side.value = String(this.line.moves.length % 2);
    this.prepare();
    return true;
  }

  prepare() {
    this.halt();
    this.thoughts = new Map();
    this.resigned = null;
    this.clock.reset();
    this.isOn = false;
    this.opponent = null;
  }

  async newGame() {
    let limit;
    try {
      limit = this.limit.read();
    } catch (error) {
      say(error.message, true);
      return;
    }
    const { game, position, moves } = this.line;
    const { value: side } = this.side;
    this.prepare();
    this.start(limit, side === "random" ? Math.floor(Math.random() * 2) : Number(side));
    this.face();
    try {
      const view = await this.line.change({ game, position, moves: moves.slice(0, this.begins) });
      if (!view) return;
    } catch (error) {
      this.isOn = false;
      say(sentence(error.message), true);
      return;
    }
    this.goOn();
  }

  // The human is who begins (0) or the other (1).
  start(limit, me) {
    Object.assign(this, { opponent: { profile: this.limit.isOwn ? this.profile.value : "best", limit, name: this.opponentName }, me, isOn: true });
  }

  // The same again, with colours changed.
  playAgain() {
    this.side.value = String(1 - this.me);
    return this.newGame();
  }

  // What the studio knows of the game.
  get about() {
    return this.games.find(({ name }) => name === this.line.game) ?? {};
  }

  // The side to move: 0 who began, 1 the other.
  get mover() {
    return this.line.moves.length % 2;
  }

  get result() {
    if (this.resigned !== null) return this.wins(1 - this.resigned);
    return this.line.view?.result ?? OPEN;
  }

  // White in a result is who moves first from the start of the game, which need not be who moved first here.
  wins(side) {
    return this.isSecondFirst === (side === 1) ? "1-0" : "0-1";
  }

  // Whether the position that the game was set up from has the second player to move.
  get isSecondFirst() {
    const { view, moves } = this.line;
    return view?.first_to_move === undefined ? false : view.first_to_move !== (moves.length % 2 === 0);
  }

  get isOver() {
    return this.resigned !== null || Boolean(this.line.view?.over);
  }

  // Whose turn it is decides what happens now.
  goOn() {
    this.again.hidden = true;
    this.thinking.textContent = "";
    if (this.isOver) this.clock.stop();
    else this.clock.start(this.mover);
    this.showPosition();
    this.keep();
    if (this.isOn && !this.isOver && this.mover !== this.me) this.think();
  }

  async human(engine) {
    if (!this.isOn) {
      // The first move on the board begins the game for whoever makes it.
      try {
        this.start(this.limit.read(), this.mover);
      } catch (error) {
        say(error.message, true);
        return;
      }
      if (this.side.value !== String(this.me)) this.face();
      this.side.value = String(this.me);
    }
    this.halt();
    await this.move(engine);
  }

  async move(engine) {
    try {
      if (await this.line.play(engine)) this.goOn();
    } catch (error) {
      this.fail(error.message);
    }
  }

  think() {
    const ply = this.line.moves.length;
    this.board.enable(false);
    this.search = new Search(
      { ...this.line.task, profile: this.opponent.profile, ...this.opponent.limit, lines: 1 },
      {
        progress: (progress) => {
          const { depth, nodes, pv } = progress;
          const score = value({ ...progress, value: progress.score });
          this.thinking.textContent = `Depth ${depth}, ${score} for ${this.first}, ${shortCount(nodes)} nodes: ${pv.slice(0, 6).join(" ")}`;
        },
        done: (report) => {
          this.search = null;
          if (!report.best_engine) return this.fail("The engine found no move.");
          this.thoughts.set(ply, report);
          return this.move(report.best_engine);
        },
        failed: (why) => this.fail(why),
      },
    );
  }

  fail(why) {
    this.halt();
    this.clock.stop();
    this.thinking.textContent = "";
    this.status.textContent = sentence(why);
    this.status.classList.add("error-text");
    this.again.hidden = false;
  }

  // Ends whatever is searched.
  halt() {
    this.search?.stop();
    this.search = null;
    this.hinting = false;
    if (this.hint) this.hint.textContent = "Hint";
  }

  // Takes back to where it was the player's own turn.
  async takeBack() {
    if (!this.line?.view || this.line.moves.length <= this.begins) return;
    this.halt();
    this.resigned = null;
    let left = this.line.moves.length - 1;
    if (this.isOn && left % 2 !== this.me) left -= 1;
    left = Math.max(this.begins, left);
    try {
      const view = await this.line.change({ moves: this.line.moves.slice(0, left) });
      if (!view) return;
    } catch (error) {
      this.fail(error.message);
      return;
    }
    for (const ply of this.thoughts.keys()) if (ply >= left) this.thoughts.delete(ply);
    this.goOn();
  }

  giveHint() {
    if (!this.line?.view || this.isOver || this.search) return;
    this.hinting = true;
    this.hint.textContent = "Thinking …";
    this.search = new Search(
      { ...this.line.task, profile: this.profile.value, movetime: HINT_MS, lines: 1 },
      {
        done: ({ best, best_engine: engine, shown, pv }) => {
          this.halt();
          if (!best) return;
          this.board.showHint(engine);
          this.thinking.textContent = `Hint: ${best}, ${value({ value: 0, shown })} for ${this.first}. ${pv.slice(0, 6).join(" ")}`;
        },
        failed: (why) => {
          this.halt();
          say(sentence(why), true);
        },
      },
    );
  }

  // ---- looking back

  step(by) {
    if (this.line?.view) this.see((this.seen ?? this.line.moves.length) + by);
  }

  // Shows an earlier position; the game stays where it is, and goes on from its end.
  async see(ply) {
    if (!this.line?.view) return;
    const { game, position, moves, isTurned: turned } = this.line;
    const wanted = Math.min(moves.length, Math.max(0, ply));
    if (wanted === moves.length) {
      this.showPosition();
      return;
    }
    this.seen = wanted;
    try {
      const view = await api.board(game, position, moves.slice(0, wanted), turned);
      if (this.seen !== wanted) return;
      this.board.isEnabled = false;
      this.board.show({ ...view, isTurned: turned }, { words: view.played.at(-1) });
      const thought = this.thoughts.get(wanted - 1);
      const move = wanted ? `${this.numberOf(wanted - 1)} ${view.played.at(-1)}` : "The start";
      this.status.textContent = `${move}, ${wanted} of ${moves.length} plies.`;
      this.thinking.textContent = thought ? this.tellThought(thought) : "";
      this.showSteps();
      this.showMoves();
    } catch (error) {
      say(sentence(error.message), true);
    }
  }

  tellThought({ shown, depth, pv }) {
    return `The engine thought: ${value({ value: 0, shown })} for ${this.first}, depth ${depth}. ${pv.slice(0, 8).join(" ")}`;
  }

  // What people call the first player, whose scores are shown.
  get first() {
    return this.about.players?.[0] ?? "the first player";
  }

  numberOf(at) {
    const ply = at + Number(this.isSecondFirst);
    return `${Math.floor(ply / 2) + 1}${ply % 2 ? "…" : "."}`;
  }

  showSteps() {
    const { length } = this.line.moves;
    const at = this.seen ?? length;
    this.steps.forEach((each, number) => (each.disabled = number < 2 ? at === 0 : at === length));
  }

  giveUp() {
    if (!this.isOn || this.isOver) return;
    this.halt();
    this.resigned = this.me;
    this.goOn();
  }

  // ---- a game that outlives the page

  keep() {
    const { line, begins, me, isOn, opponent, resigned } = this;
    if (!line?.view) return;
    const { game, position, moves } = line;
    const thoughts = [...this.thoughts].map(([ply, { shown, depth, pv }]) => [ply, { shown, depth, pv }]);
    const settings = { side: this.side.value, profile: this.profile.value, limit: this.limit.choice };
    const times = [0, 1].map((side) => this.clock.used(side));
    const kept = { game, position, moves, begins, me, isOn, opponent, resigned, thoughts, settings, times };
    write(this.kept, JSON.stringify(kept));
  }

  // The game that was kept; null where there is none, or nothing that can be gone on with.
  readKept() {
    try {
      const kept = JSON.parse(read(this.kept));
      const isKnown = this.games.some(({ name }) => name === kept.game);
      const isWhole = [kept.moves, kept.thoughts, kept.times].every(Array.isArray) && kept.settings.limit.values;
      return isKnown && isWhole && (kept.isOn || kept.position || kept.moves.length) ? kept : null;
    } catch {
      return null;
    }
  }

  async restore(kept) {
    this.line.isTurned = isTurned("play");
    // What the studio refuses is not played on.
    if (!(await this.load(kept)) || !this.isAt(kept)) return;
    const { begins, me, isOn, opponent, resigned, settings } = kept;
    Object.assign(this, { begins, me, isOn, opponent, resigned, thoughts: new Map(kept.thoughts) });
    this.clock.total = kept.times;
    this.limit.choice = settings.limit;
    for (const [choice, chosen] of [
      [this.side, settings.side],
      [this.profile, settings.profile],
    ]) {
      if ([...choice.options].some((option) => option.value === chosen)) choice.value = chosen;
    }
    this.profileField.hidden = !this.limit.isOwn;
    if (isOn) this.goOn();
    else this.showPosition();
  }

  // ---- the side that is seen

  changeSide() {
    if (this.isOn) return;
    this.showState();
    this.look(this.isHumanSecond);
  }

  // Whether the human has the second player's pieces.
  get isHumanSecond() {
    const me = this.isOn ? this.me : Number(this.side.value === "1");
    return (me === 1) !== this.isSecondFirst;
  }

  // The pictures that come are seen from the human's side.
  face() {
    this.line.isTurned = this.isHumanSecond;
    rememberTurned("play", this.line.isTurned);
  }

  async turn() {
    const { line } = this;
    if (line?.view) await this.look(!line.isTurned);
  }

  async look(isTurned) {
    try {
      const view = await this.line.look(isTurned);
      rememberTurned("play", this.line.isTurned);
      if (view) this.showPosition();
    } catch (error) {
      say(sentence(error.message), true);
    }
  }

  // ---- what is seen

  names() {
    return players(this.line.view, this.line.moves);
  }

  // What the players are called in the record, who began first.
  people() {
    const engine = `plywise, ${this.opponent?.name ?? this.opponentName}`;
    const me = this.isOn ? this.me : Number(this.side.value === "1");
    return me === 0 ? ["You", engine] : [engine, "You"];
  }

  get opponentName() {
    return this.limit.isOwn ? this.profile.value : this.limit.name;
  }

  showPosition() {
    const { view } = this.line;
    this.seen = null;
    this.board.isEnabled = !this.isOver && (!this.isOn || this.mover === this.me);
    this.board.show(view, { words: view.played.at(-1) });
    this.showState();
    this.showMoves();
    this.showClocks();
  }

  showState() {
    const { view, moves } = this.line;
    const names = this.names();
    const people = this.people();
    this.status.classList.remove("error-text");
    if (this.resigned !== null) this.status.textContent = `You lost: you resigned, ${names[1 - this.resigned]} wins.`;
    else if (view.over) this.status.textContent = `${this.outcome}: ${view.over.replace(/\.?$/, ".")}`;
    else if (!this.isOn) this.status.textContent = `${view.turn} to move. Make a move, or press New game.`;
    else if (this.mover === this.me) this.status.textContent = `Your move, ${view.turn}.`;
    else this.status.textContent = `${view.turn} is thinking …`;
    this.clocks.forEach(({ name, box }, side) => {
      name.textContent = `${names[side]} · ${people[side]}`;
      box.classList.toggle("running", this.clock.side === side);
    });
    this.back.disabled = moves.length <= this.begins;
    this.hint.disabled = this.isOver || (this.isOn && this.mover !== this.me);
    this.resign.disabled = !this.isOn || this.isOver;
    this.resign.hidden = this.isOver;
    this.rematch.hidden = !(this.isOn && this.isOver);
    this.showSteps();
    this.analyse.href = lineAddress("analyse", this.line);
    this.showRecord();
  }

  // Who won, as the person who played sees it.
  get outcome() {
    if (!["1-0", "0-1"].includes(this.result)) return "A draw";
    if (!this.isOn) return "The game is over";
    return this.result === this.wins(this.me) ? "You won" : "You lost";
  }

  showMoves() {
    const { played } = this.line.view;
    this.empty.hidden = played.length > 0;
    this.table.box.hidden = played.length === 0;
    this.table.box.querySelector("th:nth-child(3)").textContent = `Score for ${this.first}`;
    const seen = this.seen ?? played.length;
    this.table.fill(
      played.map((move, at) => {
        const thought = this.thoughts.get(at);
        const told = thought
          ? [value({ value: 0, shown: thought.shown }), thought.depth, thought.pv.join(" ")]
          : ["", "", ""];
        return { class: at === seen - 1 ? "here" : null, cells: [this.numberOf(at), this.moveButton(move, at), ...told] };
      }),
    );
    const here = this.table.box.querySelector(".here");
    if (here && this.seen !== null) keepInView(this.table.box, here);
    else this.table.box.scrollTop = this.table.box.scrollHeight;
  }

  moveButton(move, at) {
    return element("button", { type: "button", class: "move-text", text: move, onclick: () => this.see(at + 1) });
  }

  showClocks() {
    this.clocks.forEach(({ time }, side) => {
      const text = clockText(this.clock.used(side));
      if (time.textContent !== text) time.textContent = text;
    });
  }

  showRecord() {
    const { view, game, position } = this.line;
    const title = this.games.find(({ name }) => name === game)?.title ?? game;
    const isSecondFirst = this.isSecondFirst;
    const [one, other] = this.people();
    const [first, second] = isSecondFirst ? [other, one] : [one, other];
    const { result } = this;
    this.record.value = pgn({
      title,
      isChess: game === "chess",
      first,
      second,
      result,
      moves: nodesOf(view.played),
      position,
      isSecondFirst,
    });
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.record.value);
      say("The game is copied.");
    } catch {
      this.record.select();
      say("Copying is not allowed here; the text is selected.", true);
    }
  }

  download() {
    const address = URL.createObjectURL(new Blob([this.record.value], { type: "application/x-chess-pgn" }));
    element("a", { href: address, download: `${this.line.game}.pgn` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }
}

// Counts what each side has used.
class Clock {
  constructor() {
    this.reset();
  }

  reset() {
    this.total = [0, 0];
    this.side = null;
  }

  start(side) {
    this.stop();
    this.side = side;
    this.since = performance.now();
  }

  stop() {
    if (this.side !== null) this.total[this.side] += performance.now() - this.since;
    this.side = null;
  }

  used(side) {
    return this.total[side] + (this.side === side ? performance.now() - this.since : 0);
  }
}

function clockText(milliseconds) {
  const whole = Math.floor(milliseconds / 1000);
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
