// Analysis: a position that somebody plays with, a search that follows it, and the game with its variations.

import { api, savedAddress } from "./api.js";
import { Board } from "./board.js";
import { BestLines } from "./best-lines.js";
import { byId, element, say, table } from "./dom.js";
import { EvaluationBar, verdict } from "./evaluation.js";
import { count, shortCount, value } from "./format.js";
import { catalogue, field, gameChoice, LimitChoice, Line, players, profileChoice, Search, sentence } from "./games.js";
import { MoveList } from "./move-list.js";
import { ParameterList } from "./params.js";
import { pgn } from "./pgn.js";
import { Plot } from "./plot.js";
import { stepButton } from "./replay.js";
import { lineAddress } from "./route.js";
import { Setup } from "./setup.js";
import { isTurned, read, rememberTurned, write } from "./storage.js";
import { grow, Variations } from "./variations.js";

const GAME = "plywise.game";
const PROFILE = "plywise.profile";
const MOST_RECORDED = 20_000_000;
const MOST_LINES = 20;
// Keys that are held down pass many positions; only the one where they rest is searched.
const REST_MS = 150;
const PROGRESS_MS = 400;
const KINDS = ["endless", "depth", "nodes", "movetime"];

export class AnalysePage {
  // `onRecorded` gets the number of a tree that was recorded.
  constructor(box, { onRecorded }) {
    this.box = box;
    this.onRecorded = onRecorded;
    this.line = null;
    this.isOn = false;
  }

  // Shows the page, at a position if one is given.
  async show(asked) {
    if (!this.line) {
      this.box.replaceChildren(element("p", { class: "loading", text: "Setting up the board …" }));
      const { games, profiles } = await catalogue();
      this.build(games, profiles);
    }
    const wanted = asked ?? (this.line.view ? null : { game: this.firstGame(), position: "", moves: [] });
    if (wanted && !this.isAt(wanted)) await this.begin(wanted);
    else this.remember();
  }

  hide() {
    this.stop();
  }

  firstGame() {
    const saved = read(GAME);
    return this.games.some(({ name }) => name === saved) ? saved : this.games[0].name;
  }

  isAt({ game, position, moves }) {
    const { line } = this;
    return line.view && line.game === game && line.position === position && line.moves.join() === moves.join();
  }

  // ---- the parts

  build(games, profiles) {
    if (!games.length) throw new Error("The studio has no games.");
    Object.assign(this, { games, profiles, variations: new Variations() });
    this.line = new Line(this.firstGame());
    this.line.isTurned = isTurned("analyse");
    this.board = new Board({ onMove: (engine) => this.play([engine]), onTurn: () => this.turn() });
    this.evaluation = new EvaluationBar();
    this.board.figure.append(this.evaluation.box);
    this.moves = new MoveList({ onPick: (node) => this.goTo(node) });
    this.buildPosition();
    this.buildSearch(profiles);
    this.buildGame();
    this.buildRecording();
    this.box.replaceChildren(
      element(
        "section",
        { class: "board-side with-evaluation", "aria-label": "Position" },
        this.board.box,
        this.setup.box,
        element(
          "div",
          { class: "bar-row steps-row" },
          element("div", { class: "steps", role: "group", "aria-label": "Steps" }, this.steps),
          this.status,
          element("span", { class: "push" }),
          this.arrange,
          this.playLink,
        ),
      ),
      element(
        "section",
        { class: "search-side", "aria-label": "Analysis" },
        element(
          "div",
          { class: "bar-row search-bar" },
          field("Game", this.game),
          field("Limit", this.limit.box),
          field("Lines", this.lines, "short"),
          element("label", { class: "check" }, this.twin, " Compare"),
          element("span", { class: "push" }),
          this.run,
        ),
        this.trouble,
        this.twins,
        this.gameCard,
        this.recordCard,
        element(
          "details",
          { class: "card growth" },
          element("summary", { text: "How the search grew" }),
          element("div", { class: "plots" }, this.scores.box, this.nodes.box),
        ),
      ),
    );
    // Whatever has the focus, be it nothing.
    document.addEventListener("paste", (event) => this.box.hidden || this.paste(event));
    this.box.addEventListener("dragover", (event) => event.dataTransfer.types.length && event.preventDefault());
    this.box.addEventListener("drop", (event) => this.dropped(event));
    this.showTwin();
    this.plot();
  }

  buildPosition() {
    this.game = gameChoice(this.games, this.line.game, (game) => this.changeGame(game));
    this.trouble = element("p", { class: "error-text", role: "alert", hidden: true });
    this.status = element("p", { class: "turn", "aria-live": "polite" });
    this.steps = [
      stepButton("⇤", "The start (Home)", () => this.goTo(this.variations.root)),
      stepButton("←", "Take back (←)", () => this.step(-1)),
      stepButton("→", "A move forward (→)", () => this.step(1)),
      stepButton("⇥", "The end (End)", () => this.goTo(this.variations.end)),
    ];
    this.setup = new Setup({ onChange: (position) => this.begin({ game: this.line.game, position, moves: [] }) });
    this.arrange = button("Arrange", () => this.toggleSetup(), "Put pieces where you want them");
    this.arrange.setAttribute("aria-pressed", "false");
    this.playLink = element("a", { class: "button", href: "#/play", text: "Play from here" });
  }

  buildSearch(profiles) {
    this.limit = new LimitChoice("endless", { depth: 12, nodes: 1_000_000, movetime: 10 }, KINDS);
    this.lines = element("input", { type: "number", min: 1, max: MOST_LINES, value: 3, "aria-label": "Lines" });
    for (const input of [this.limit.box, this.lines]) input.addEventListener("change", () => this.searchSoon());
    this.run = element("button", {
      class: "button strong",
      type: "button",
      id: "analyse-run",
      text: "Start",
      title: "Start or stop (s)",
      onclick: () => this.toggle(),
    });
    this.twin = element("input", { type: "checkbox", onchange: () => this.showTwin() });
    const saved = read(PROFILE);
    const usual = profiles.find(({ name }) => name === saved) ?? profiles.find(({ name }) => name === "best") ?? profiles[0];
    const other = profiles.find(({ name }) => name === "brute") ?? profiles[0];
    const column = (name, profile) =>
      new Column(name, profiles, profile?.name, {
        onChange: () => this.plot(),
        onPick: (moves, texts) => this.play(moves, texts),
        where: () => this.line,
        players: () => this.players,
      });
    this.columns = [column("A", usual), column("B", other)];
    this.columns[0].profile.addEventListener("change", () => write(PROFILE, this.columns[0].profile.value));
    for (const { profile, params } of this.columns)
      for (const input of [profile, params.box]) input.addEventListener("change", () => this.searchSoon());
    this.scores = new Plot("Score", { write: (y) => String(Math.round(y * 100) / 100) });
    this.nodes = new Plot("Nodes", { isLog: true });
    this.twins = element("div", { class: "columns" }, this.columns.map(({ box }) => box));
  }

  buildGame() {
    this.text = element("textarea", {
      class: "mono",
      rows: 5,
      "aria-label": "Position or game",
      placeholder: "Paste a position or a game as PGN",
      spellcheck: "false",
    });
    this.annotateButton = button("Annotate", () => this.annotate(), "Search every position of the game and mark weak moves");
    this.gameCard = element(
      "section",
      { class: "card", "aria-label": "Moves" },
      this.moves.box,
      element(
        "div",
        { class: "bar-row" },
        this.annotateButton,
        button("Copy game", () => this.copy(this.pgn, "The game is copied as PGN.")),
        button("Copy position", () => this.copy(this.line.view.position, "The position is copied.")),
        button("Delete from here", () => this.cut(), "Takes this move and what follows it out"),
        button("Make main line", () => this.raise(), "This variation comes first"),
      ),
      element(
        "details",
        { class: "text-in" },
        element("summary", { text: "Paste a position or a game" }),
        this.text,
        element("div", { class: "bar-row" }, button("Set up", () => this.take(this.text.value))),
      ),
    );
  }

  buildRecording() {
    this.recordName = element("input", { type: "text", maxlength: 60, placeholder: "A name, if you like" });
    this.recordLimit = new LimitChoice("depth", { depth: 8, nodes: 1_000_000 }, ["depth", "nodes"]);
    this.record = button("Record a tree", () => this.recordTree(), "Search once more, record the tree and open it (r)");
    this.recordState = element("p", { class: "quiet-text", "aria-live": "polite" });
    this.saved = element("a", { class: "button", hidden: true, text: "Save the last one" });
    this.recordCard = element(
      "details",
      { class: "card record" },
      element("summary", { text: "Record this search as a tree" }),
      element(
        "div",
        { class: "bar-row" },
        field("Name", this.recordName),
        field("Limit", this.recordLimit.box),
        this.record,
        this.saved,
      ),
      this.recordState,
    );
  }

  showTwin() {
    this.twins.classList.toggle("two", this.twin.checked);
    this.columns[1].box.hidden = !this.twin.checked;
    this.columns[0].letter.hidden = !this.twin.checked;
    if (this.twin.checked) this.searchSoon();
    else this.columns[1].stop();
    this.plot();
  }

  get active() {
    return this.columns.filter(({ box }) => !box.hidden);
  }

  // The names of both players, the first one first.
  get players() {
    return this.games.find(({ name }) => name === this.line.game)?.players ?? players(this.line.view, this.line.moves);
  }

  // ---- the position

  // Begins with another position, or the moves from one.
  async begin(wanted, variations = null) {
    await this.go(wanted, (view) => {
      this.variations = variations ?? new Variations(wanted.moves, view.played);
    });
  }

  // Plays moves from the position that is shown.
  async play(moves) {
    const all = [...this.line.moves, ...moves];
    await this.go({ moves: all }, (view) => this.variations.follow(all, view.played));
  }

  // Goes to a move of the game or its variations.
  async goTo(node) {
    if (!this.line?.view) return;
    await this.go({ moves: this.variations.movesTo(node) }, () => {
      this.variations.here = node;
    });
  }

  step(by) {
    if (!this.line?.view) return;
    const { here } = this.variations;
    const node = by < 0 ? here.parent : here.children[0];
    if (node) this.goTo(node);
  }

  takeBack() {
    this.step(-1);
  }

  // Changes the position; the search goes on with the new one.
  async go(wanted, then) {
    try {
      const view = await this.line.change(wanted);
      if (!view) return;
      then(view);
      this.columns.forEach((column) => column.clear());
      this.showPosition(view);
      this.searchSoon();
    } catch (error) {
      if (!this.line.view) {
        // A link to a position that was refused shows the start instead; without a server, there is nothing to show.
        if (error.status < 400 || error.status >= 500) throw error;
        const view = await this.line.change({ game: this.firstGame(), position: "", moves: [] });
        if (view) this.showPosition(view);
      }
      this.complain(error.message);
      if (this.board.setup) this.setup.show(this.line.game, this.line.view.position);
    }
  }

  showPosition(view) {
    const { line } = this;
    this.complain(null);
    this.game.value = line.game;
    this.arrange.disabled = !Setup.knows(line.game);
    if (this.arrange.disabled && this.board.setup) this.toggleSetup();
    if (this.board.setup) this.setup.show(line.game, view.position);
    this.board.show(view, { words: view.played.at(-1) });
    this.board.arrows.show([]);
    this.status.textContent = view.over ? sentence(view.over) + (view.result ? ` ${view.result}` : "") : `${view.turn} to move.`;
    const { here } = this.variations;
    this.steps.forEach((each, at) => (each.disabled = at < 2 ? !here.parent : !here.children.length));
    this.playLink.href = lineAddress("play", line);
    this.moves.show(this.variations, this.isSecondFirst);
    this.columns.forEach((column) => column.choose(line.game));
    this.plot();
    this.remember();
  }

  // Whether the second player moves first from where the game begins.
  get isSecondFirst() {
    const { view, moves } = this.line;
    return view.first_to_move !== (moves.length % 2 === 0);
  }

  // The address names the position, so that a link shows it.
  remember() {
    if (this.box.hidden || !this.line.view) return;
    history.replaceState(null, "", lineAddress("analyse", this.line));
    const title = this.games.find(({ name }) => name === this.line.game)?.title ?? this.line.game;
    document.title = `Analyse ${title} · plywise studio`;
  }

  // Between playing moves and putting pieces.
  toggleSetup() {
    const isOn = !this.board.setup;
    this.arrange.setAttribute("aria-pressed", String(isOn));
    this.complain(null);
    this.setup.box.hidden = !isOn;
    if (isOn) this.setup.show(this.line.game, this.line.view.position);
    this.board.arrange(isOn ? this.setup : null);
  }

  // Shows the board from the other side; a search goes on.
  async turn() {
    const { line } = this;
    if (!line?.view) return;
    try {
      const view = await line.look(!line.isTurned);
      rememberTurned("analyse", line.isTurned);
      if (view) this.board.show(view, { words: view.played.at(-1) });
      this.plot();
    } catch (error) {
      say(sentence(error.message), true);
    }
  }

  changeGame(game) {
    write(GAME, game);
    this.begin({ game, position: "", moves: [] });
  }

  complain(text) {
    this.trouble.hidden = !text;
    this.trouble.textContent = text ? sentence(text) : "";
  }

  // ---- the game as text

  paste(event) {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData.getData("text");
    if (text.trim()) this.take(text);
  }

  async dropped(event) {
    event.preventDefault();
    const { dataTransfer } = event;
    const text = dataTransfer.files.length ? await dataTransfer.files[0].text() : dataTransfer.getData("text");
    if (text.trim()) this.take(text);
  }

  // Sets up a position or a game that somebody has as text.
  async take(text) {
    const { game } = this.line;
    try {
      const { position, line } = await api.readGame(game, text);
      await this.begin({ game, position, moves: [] }, Variations.of(line));
    } catch (error) {
      this.complain(error.message);
    }
  }

  get pgn() {
    const { game, position } = this.line;
    const title = this.games.find(({ name }) => name === game)?.title ?? game;
    const { variations, isSecondFirst } = this;
    const isAtEnd = variations.here === variations.main.at(-1);
    const result = (isAtEnd && this.line.view.result) || "*";
    const moves = variations.root.children;
    return pgn({ title, isChess: game === "chess", first: "?", second: "?", result, moves, position, isSecondFirst });
  }

  async copy(text, told) {
    try {
      await navigator.clipboard.writeText(text);
      say(told);
    } catch {
      this.text.closest("details").open = true;
      this.text.value = text;
      this.text.select();
      say("Copying is not allowed here; the text is selected.", true);
    }
  }

  async cut() {
    this.variations.cut();
    await this.goTo(this.variations.here);
  }

  raise() {
    this.variations.raise();
    this.moves.show(this.variations, this.isSecondFirst);
  }

  // Searches every position of the main line and marks its moves.
  annotate() {
    if (this.annotating) {
      this.annotating.stop();
      this.endAnnotation("Stopped.");
      return;
    }
    const { main } = this.variations;
    if (!main.length) {
      say("There is no game to annotate: play one, or paste one.", true);
      return;
    }
    this.stop();
    const { game, position } = this.line;
    const limit = this.limit.kind.value === "endless" ? { nodes: 100_000 } : this.readLimit();
    if (!limit) return;
    const task = { game, position, moves: main.map(({ engine }) => engine).join(","), ...this.columns[0].settings, ...limit };
    this.annotateButton.textContent = "Stop annotating";
    this.annotating = new Search(
      task,
      {
        progress: ({ done, total }) => {
          this.annotateButton.textContent = `Stop annotating (${done} of ${total})`;
        },
        done: ({ moves }) => {
          moves.forEach((told, at) => this.mark(main[at], told));
          this.endAnnotation(summary(moves));
        },
        failed: (why) => this.endAnnotation(why, true),
      },
      "annotate",
    );
  }

  // What is said about a move, and what was better as a variation.
  mark(node, { shown, marks, better }) {
    Object.assign(node, { shown, marks });
    if (better?.length) grow(node.parent, better);
  }

  endAnnotation(told, isError = false) {
    this.annotating = null;
    this.annotateButton.textContent = "Annotate";
    this.moves.show(this.variations, this.isSecondFirst);
    say(sentence(told), isError);
  }

  // ---- the search

  toggle() {
    if (this.isOn) this.stop();
    else this.start();
  }

  start() {
    if (!this.line?.view) return;
    this.isOn = true;
    this.search();
  }

  // Searches the position that is shown, if the search is on.
  searchSoon() {
    clearTimeout(this.waiting);
    for (const column of this.columns) column.stop();
    if (this.isOn) this.waiting = setTimeout(() => this.search(), REST_MS);
    this.showRun();
  }

  search() {
    if (!this.isOn) return;
    this.columns.forEach((column) => column.clear());
    if (!this.line.view.over) {
      const limits = this.readLimit();
      if (!limits) {
        this.stop();
        return;
      }
      for (const column of this.active) column.start({ ...this.line.task, ...limits });
    }
    this.plot();
  }

  // The limit and the number of lines; null where they make no sense, which is said.
  readLimit() {
    try {
      return { ...this.limit.read(), lines: this.readLines() };
    } catch (error) {
      say(error.message, true);
      return null;
    }
  }

  stop() {
    if (!this.line) return;
    this.isOn = false;
    clearTimeout(this.waiting);
    this.columns.forEach((column) => column.stop());
    this.showRun();
  }

  readLines() {
    const lines = this.lines.valueAsNumber;
    if (!(Number.isInteger(lines) && lines >= 1 && lines <= MOST_LINES)) {
      this.lines.focus();
      throw new Error(`The number of lines is from 1 to ${MOST_LINES}.`);
    }
    return lines;
  }

  showRun() {
    this.run.textContent = this.isOn ? "Stop" : "Start";
  }

  plot() {
    if (!this.line) return;
    const series = this.active.map((column) => ({ name: column.name, points: column.points }));
    this.scores.show(series.map(({ name, points }) => ({ name, points: points.filter(({ y }) => y !== null) })));
    this.nodes.show(
      series.map(({ name, points }) => ({
        name,
        points: points.map(({ x, nodes }) => ({ x, y: nodes, text: count(nodes) })),
      })),
    );
    const [{ best, lines }] = this.columns;
    this.board.arrows.show(lines.moves);
    if (this.line.view) {
      const chance = best?.chance ?? chanceOf(this.line.view);
      this.evaluation.show({ players: this.players, chance, isTurned: this.line.isTurned });
    }
    this.showRun();
  }

  // ---- a tree of the search

  async recordTree() {
    if (this.recording) {
      this.recording.abort();
      return;
    }
    if (!this.line?.view) return;
    let limits;
    try {
      limits = this.recordLimit.read();
      if (limits.nodes > MOST_RECORDED) throw new Error(`A tree has at most ${count(MOST_RECORDED)} nodes.`);
    } catch (error) {
      say(error.message, true);
      return;
    }
    this.stop();
    const recording = new AbortController();
    this.recording = recording;
    this.recordCard.open = true;
    this.record.textContent = "Cancel";
    this.recordState.textContent = "Recording …";
    const watch = setInterval(() => this.tellRecording(), PROGRESS_MS);
    try {
      const task = { ...this.line.task, ...this.columns[0].settings, ...limits, name: this.recordName.value };
      const { id, name } = await api.record(task, recording.signal);
      this.recordState.textContent = `Recorded: ${name}.`;
      Object.assign(this.saved, { href: savedAddress(id), hidden: false });
      await this.onRecorded(id, !this.box.hidden);
    } catch (error) {
      this.recordState.textContent = error.name === "AbortError" ? "Cancelled." : "";
      if (error.name !== "AbortError") say(sentence(error.message), true);
    }
    clearInterval(watch);
    this.recording = null;
    this.record.textContent = "Record a tree";
  }

  async tellRecording() {
    const { recording } = await api.files().catch(() => ({ recording: [] }));
    const last = recording.at(-1);
    if (this.recording && last) {
      this.recordState.textContent = `Depth ${last.depth}, ${shortCount(last.nodes)} of at most ${shortCount(MOST_RECORDED)} nodes.`;
    }
  }
}

// The chances where the game is over.
function chanceOf({ over, result }) {
  return over ? ({ "1-0": 1, "0-1": 0 }[result] ?? 0.5) : null;
}

// What an annotation found, in words.
function summary(moves) {
  const many = (marks) => moves.filter((each) => each.marks === marks).length;
  const counts = [
    [many("??"), "blunder"],
    [many("?"), "mistake"],
    [many("?!"), "dubious move"],
  ];
  const said = counts.filter(([number]) => number).map(([number, what]) => `${number} ${what}${number > 1 ? "s" : ""}`);
  return said.length ? `Annotated: ${said.join(", ")}` : "Annotated: no weak move";
}

// One profile, its parameters, its search and what it found.
class Column {
  constructor(name, profiles, chosen, { onChange, onPick, where, players }) {
    this.name = name;
    this.onChange = onChange;
    this.players = players;
    this.lines = new BestLines({ where, onPick });
    this.search = null;
    this.found = new Map();
    this.points = [];
    this.profile = profileChoice(profiles, chosen, () => {
      this.describe(profiles);
      this.choose(this.game);
    });
    this.about = element("p", { class: "quiet-text about-profile" });
    this.params = new ParameterList();
    this.letter = element("span", { class: `side-letter of-${name}`, text: name });
    this.told = element("dl", { class: "told" });
    this.state = element("p", { class: "state", "aria-live": "polite" });
    this.table = table(
      `Lines of ${name}`,
      [
        { title: "Depth", cells: "figure" },
        { title: "Score", cells: "figure score" },
        { title: "Nodes", cells: "figure" },
        { title: "Time", cells: "figure" },
        { title: "Line", cells: "pv" },
      ],
      "lines",
    );
    this.box = element(
      "article",
      { class: "column", "aria-label": `Search ${name}` },
      element("div", { class: "bar-row profile-row" }, this.letter, field("Profile", this.profile), this.about),
      this.told,
      this.state,
      this.lines.box,
      this.params.box,
      element("details", { class: "by-depth" }, element("summary", { text: "Depth by depth" }), this.table.box),
    );
    this.describe(profiles);
    this.clear();
  }

  describe(profiles) {
    this.about.textContent = profiles.find(({ name }) => name === this.profile.value)?.description ?? "";
  }

  choose(game) {
    this.game = game;
    this.params.choose(game, this.profile.value);
    if (!this.best) this.tell(null);
  }

  get settings() {
    return { profile: this.profile.value, set: this.params.set };
  }

  clear() {
    this.found.clear();
    this.points = [];
    this.best = null;
    this.lines.clear();
    this.say("Press Start: the search follows the board.");
    this.tell(null);
    this.showRows();
  }

  say(text, isError = false) {
    this.state.textContent = text;
    this.state.classList.toggle("error-text", isError);
  }

  start(task) {
    this.stop();
    this.clear();
    this.say("Searching …");
    this.search = new Search(
      { ...task, ...this.settings },
      {
        progress: (progress) => this.grow(progress),
        done: (report) => this.finish(report),
        failed: (why) => {
          this.search = null;
          this.say(sentence(why), true);
          this.onChange();
        },
      },
    );
  }

  stop() {
    if (!this.search) return;
    this.search.stop();
    this.search = null;
    this.say("Stopped.");
    this.onChange();
  }

  finish({ best, shown, depth, chance }) {
    this.search = null;
    const words = `Done: ${best}, ${value({ value: 0, shown })} at depth ${depth}. ${verdict(this.players(), chance)}.`;
    this.say(best ? words : "Done: there is no move.");
    this.onChange();
  }

  grow(progress) {
    const { depth, line, nodes, shown } = progress;
    this.found.set(`${depth} ${line}`, progress);
    this.lines.grow(progress);
    if (line === 1) {
      this.best = progress;
      this.say(`${verdict(this.players(), progress.chance)}.`);
    }
    this.tell(progress);
    if (line === 1) {
      const point = { x: depth, y: figure(shown), nodes, text: shown };
      const at = this.points.findIndex(({ x }) => x === depth);
      if (at < 0) this.points.push(point);
      else this.points[at] = point;
      this.points.sort((one, other) => one.x - other.x);
    }
    // News may come faster than anybody reads.
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = null;
      this.showRows();
      this.lines.draw();
      this.onChange();
    });
  }

  tell(progress) {
    const facts = [
      ["Depth", progress ? `${progress.depth} / ${progress.selective_depth}` : "–"],
      [`Score for ${this.game ? this.players()[0] : "the first"}`, progress && this.best ? value({ ...this.best, value: this.best.score }) : "–"],
      ["Nodes", progress ? shortCount(progress.nodes) : "–"],
      ["Nodes/s", progress ? shortCount(progress.nps) : "–"],
      ["Time", progress ? seconds(progress.time_ms) : "–"],
    ];
    this.told.replaceChildren(
      ...facts.map(([name, what]) => element("div", {}, element("dt", { text: name }), element("dd", { text: what }))),
    );
  }

  // The deepest lines are on top, where they are seen without scrolling.
  showRows() {
    const found = [...this.found.values()].sort((one, other) => other.depth - one.depth || one.line - other.line);
    this.table.fill(
      found.map((each) => {
        const score = value({ ...each, value: each.score });
        const pv = each.pv.join(" ");
        return {
          class: each.line === 1 ? "first-line" : null,
          cells: [each.depth, score, shortCount(each.nodes), seconds(each.time_ms), element("span", { title: pv, text: pv })],
        };
      }),
    );
  }
}

// A shown score as a number for the plot; a mate is no number.
function figure(shown) {
  const number = Number.parseFloat(String(shown).replace("−", "-"));
  return Number.isFinite(number) ? number : null;
}

export function seconds(milliseconds) {
  return milliseconds < 100_000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.round(milliseconds / 1000)} s`;
}

export function button(text, onclick, title = null) {
  return element("button", { class: "button", type: "button", text, title, onclick });
}
