// Analysis: a position, one search or two side by side, their lines and how they grew.

import { api } from "./api.js";
import { Board } from "./board.js";
import { element, say, table } from "./dom.js";
import { count, shortCount, value } from "./format.js";
import { catalogue, field, gameChoice, LimitChoice, Line, profileChoice, Search, sentence } from "./games.js";
import { ParameterList } from "./params.js";
import { Plot } from "./plot.js";
import { lineAddress } from "./route.js";
import { Setup } from "./setup.js";
import { isTurned, read, rememberTurned, write } from "./storage.js";

const GAME = "plywise.game";
const PROFILE = "plywise.profile";
const MOST_RECORDED = 20_000_000;
const MOST_LINES = 20;

export class AnalysePage {
  // `onRecorded` is told the number of a tree that was recorded.
  constructor(box, { onRecorded }) {
    this.box = box;
    this.onRecorded = onRecorded;
    this.line = null;
  }

  // Shows the page, at a position if one is given.
  async show(asked) {
    if (!this.line) {
      this.box.replaceChildren(element("p", { class: "loading", text: "Setting up the board …" }));
      const { games, profiles } = await catalogue();
      this.build(games, profiles);
    }
    const wanted = asked ?? (this.line.view ? null : { game: this.firstGame(), position: "", moves: [] });
    if (wanted && !this.isAt(wanted)) await this.go(() => this.line.change(wanted));
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
    Object.assign(this, { games, profiles });
    this.line = new Line(this.firstGame());
    this.line.isTurned = isTurned("analyse");
    this.board = new Board({
      onMove: (engine) => this.go(() => this.line.play(engine)),
      onTurn: () => this.turn(),
    });
    this.game = gameChoice(games, this.line.game, (game) => this.changeGame(game));
    this.text = element("input", {
      type: "text",
      class: "mono",
      "aria-label": "Position",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
    });
    this.trouble = element("p", { class: "error-text", role: "alert", hidden: true });
    this.status = element("p", { class: "turn", "aria-live": "polite" });
    this.played = element("p", { class: "played" });
    this.back = button("Take back", () => this.takeBack(), "The move before (b)");
    this.reset = button("Reset", () => this.go(() => this.line.change({ position: "", moves: [] })), "The start");
    this.setup = new Setup({ onChange: (position) => this.go(() => this.line.change({ position, moves: [] })) });
    this.arrange = button("Arrange", () => this.toggleSetup(), "Put pieces where you want them");
    this.arrange.setAttribute("aria-pressed", "false");
    this.playLink = element("a", { class: "button", href: "#/play", text: "Play from here" });

    this.limit = new LimitChoice("depth", { depth: 12, nodes: 1_000_000, movetime: 10 });
    this.lines = element("input", { type: "number", min: 1, max: MOST_LINES, value: 1, "aria-label": "Lines" });
    this.run = element("button", {
      class: "button strong",
      type: "button",
      id: "analyse-run",
      text: "Start",
      title: "Start or stop (s)",
      onclick: () => this.toggle(),
    });
    this.record = button("Record a tree", () => this.recordTree(), "Search once more, record the tree and open it (r)");
    this.twin = element("input", { type: "checkbox", onchange: () => this.showTwin() });

    const saved = read(PROFILE);
    const usual = profiles.find(({ name }) => name === saved) ?? profiles.find(({ name }) => name === "best") ?? profiles[0];
    const other = profiles.find(({ name }) => name === "brute") ?? profiles[0];
    const told = () => this.plot();
    this.columns = [
      new Column("A", profiles, usual?.name, told, () => this.line),
      new Column("B", profiles, other?.name, told, () => this.line),
    ];
    this.columns[0].profile.addEventListener("change", () => write(PROFILE, this.columns[0].profile.value));
    this.scores = new Plot("Score", { write: (y) => String(Math.round(y * 100) / 100) });
    this.nodes = new Plot("Nodes", { isLog: true });
    this.twins = element("div", { class: "columns" }, this.columns.map(({ box }) => box));

    this.box.replaceChildren(
      element(
        "section",
        { class: "board-side", "aria-label": "Position" },
        element("div", { class: "bar-row" }, field("Game", this.game), this.arrange, this.back, this.reset),
        this.board.box,
        this.trouble,
        this.setup.box,
        this.status,
        element(
          "form",
          { class: "position-form", onsubmit: (event) => this.setPosition(event) },
          field("Position", this.text, "wide"),
          element("button", { class: "button", text: "Set up" }),
        ),
        element("div", { class: "bar-row" }, this.played, this.playLink),
      ),
      element(
        "section",
        { class: "search-side", "aria-label": "Search" },
        element(
          "div",
          { class: "bar-row search-bar" },
          field("Limit", this.limit.box),
          field("Lines", this.lines, "short"),
          element("label", { class: "check" }, this.twin, " Compare"),
          element("span", { class: "push" }),
          this.record,
          this.run,
        ),
        this.twins,
        element("div", { class: "plots" }, this.scores.box, this.nodes.box),
      ),
    );
    this.showTwin();
    this.plot();
  }

  showTwin() {
    this.twins.classList.toggle("two", this.twin.checked);
    this.columns[1].box.hidden = !this.twin.checked;
    this.columns[0].letter.hidden = !this.twin.checked;
    if (!this.twin.checked) this.columns[1].stop();
    this.showRun();
    this.plot();
  }

  get active() {
    return this.columns.filter(({ box }) => !box.hidden);
  }

  get isRunning() {
    return this.columns.some(({ search }) => search);
  }

  // ---- the position

  // Changes the position; a search of the old one ends.
  async go(change) {
    try {
      const view = await change();
      if (!view) return;
      this.stop();
      this.columns.forEach((column) => column.clear());
      this.showPosition(view);
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
    this.text.value = view.position;
    this.text.removeAttribute("aria-invalid");
    this.arrange.disabled = !Setup.knows(line.game);
    if (this.arrange.disabled && this.board.setup) this.toggleSetup();
    if (this.board.setup) this.setup.show(line.game, view.position);
    this.board.show(view, { words: view.played.at(-1) });
    this.status.textContent = view.over ? sentence(view.over) + (view.result ? ` ${view.result}` : "") : `${view.turn} to move.`;
    this.played.textContent = view.played.length ? view.played.join(" ") : "No move was played yet.";
    this.back.disabled = line.moves.length === 0;
    this.playLink.href = lineAddress("play", line);
    this.columns.forEach((column) => column.choose(line.game));
    this.plot();
    this.remember();
    this.showRun();
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
    } catch (error) {
      say(sentence(error.message), true);
    }
  }

  changeGame(game) {
    write(GAME, game);
    this.go(() => this.line.change({ game, position: "", moves: [] }));
  }

  takeBack() {
    if (this.line?.moves.length) this.go(() => this.line.takeBack());
  }

  setPosition(event) {
    event.preventDefault();
    this.go(() => this.line.change({ position: this.text.value.trim(), moves: [] }));
  }

  complain(text) {
    this.trouble.hidden = !text;
    this.trouble.textContent = text ? sentence(text) : "";
    if (text && this.text.value !== this.line.view?.position) this.text.setAttribute("aria-invalid", "true");
  }

  // ---- the search

  toggle() {
    if (this.isRunning) this.stop();
    else this.start();
  }

  start() {
    if (!this.line?.view) return;
    if (this.line.view.over) {
      say("The game is over in this position.", true);
      return;
    }
    let limits;
    try {
      limits = { ...this.limit.read(), lines: this.readLines() };
    } catch (error) {
      say(error.message, true);
      return;
    }
    for (const column of this.active) column.start({ ...this.line.task, ...limits });
    this.plot();
    this.showRun();
  }

  stop() {
    if (!this.line) return;
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
    this.run.textContent = this.isRunning ? "Stop" : "Start";
    this.run.disabled = !this.isRunning && Boolean(this.line.view?.over);
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
    this.showRun();
  }

  async recordTree() {
    if (this.recording) {
      this.recording.abort();
      return;
    }
    if (!this.line?.view) return;
    let limits;
    try {
      limits = this.limit.read();
      if (limits.movetime) throw new Error("A tree is recorded to a depth or a number of nodes: choose one as the limit.");
      if (limits.nodes > MOST_RECORDED) throw new Error(`A tree has at most ${count(MOST_RECORDED)} nodes.`);
    } catch (error) {
      say(error.message, true);
      return;
    }
    this.stop();
    const recording = new AbortController();
    this.recording = recording;
    this.record.textContent = "Stop recording";
    try {
      const task = { ...this.line.task, ...this.columns[0].settings, ...limits };
      const { id } = await api.record(task, recording.signal);
      await this.onRecorded(id, !this.box.hidden);
    } catch (error) {
      if (error.name !== "AbortError") say(sentence(error.message), true);
    }
    this.recording = null;
    this.record.textContent = "Record a tree";
  }
}

// One profile, its parameters, its search and what it found.
class Column {
  constructor(name, profiles, chosen, onChange, line) {
    this.name = name;
    this.onChange = onChange;
    this.line = line;
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
      element("div", { class: "bar-row" }, this.letter, field("Profile", this.profile)),
      this.about,
      this.params.box,
      this.told,
      this.state,
      this.table.box,
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
  }

  get settings() {
    return { profile: this.profile.value, set: this.params.set };
  }

  clear() {
    this.found.clear();
    this.points = [];
    this.best = null;
    this.say("Press Start, and the lines grow here.");
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

  finish({ best, shown, depth }) {
    this.search = null;
    this.say(best ? `Done: ${best}, ${value({ value: 0, shown })} at depth ${depth}.` : "Done: there is no move.");
    this.onChange();
  }

  grow(progress) {
    const { depth, line, nodes, shown } = progress;
    this.found.set(`${depth} ${line}`, progress);
    if (line === 1) this.best = progress;
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
      this.onChange();
    });
  }

  tell(progress) {
    const facts = [
      ["Depth", progress ? `${progress.depth} / ${progress.selective_depth}` : "–"],
      ["Score", progress && this.best ? value({ ...this.best, value: this.best.score }) : "–"],
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
