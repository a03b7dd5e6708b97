// The first page: what can be done here, what is open, and examples to begin with.

import { api } from "./api.js";
import { element, say } from "./dom.js";
import { ago } from "./format.js";
import { sentence } from "./games.js";
import { compareAddress, fileAddress, lineAddress, runAddress } from "./route.js";

const SHOWN = { game: "chess", position: "", moves: ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"] };
const MOST_RUNS = 8;
// A game that is nearly over, with a tree as small as that of tic-tac-toe: of five moves one wins. All of it fits on a wall.
const ENDING = { game: "connect4", position: "o4o1/xo3xx/xxoxoox/xoxxoxo/ooxoxox/xoxooxo x", depth: 8, set: ["quiescence.enabled=off"] };
// Searches that are recorded when they are asked for: each takes a moment.
const EXAMPLES = [
  { title: "Small game by minimax", told: "every node of it, to the end of the game", task: { ...ENDING, profile: "minimax" } },
  { title: "Small game by alpha-beta", told: "step through its cuts with . and ,", task: { ...ENDING, profile: "alphabeta" } },
  { title: "Small game by all techniques", told: "table, order, solver", task: { ...ENDING, profile: "best" } },
  { title: "Connect Four by alpha-beta", told: "from the start of the game", task: { game: "connect4", profile: "alphabeta", depth: 4 } },
  { title: "Chess by all techniques", told: "what a strong search leaves out", task: { game: "chess", profile: "best", depth: 7 } },
];
// The two that teach most side by side.
const [BY_MINIMAX, BY_ALPHA_BETA] = EXAMPLES;

export class HomePage {
  // `onRecorded` gets the number of a tree that was recorded.
  constructor(box, { onRecorded }) {
    this.box = box;
    this.onRecorded = onRecorded;
  }

  async show(files) {
    document.title = "plywise studio";
    this.files = files;
    this.board = element("img", { src: "favicon.svg", alt: "" });
    this.runs = element("section", { class: "card", hidden: true, "aria-label": "Runs" });
    this.box.replaceChildren(
      element("h1", { text: "What can be done here" }),
      element(
        "div",
        { class: "home-cards" },
        card(this.board, lineAddress("analyse", SHOWN), "Analyse and play", [
          "Play a position out: the search follows you, with its lines, arrows and whose game it is.",
          "Or play against a level, a rating or any profile.",
        ]),
        card(picture("tree.svg"), files.length ? fileAddress(files[0].id) : "#/home", "Look into a search", [
          "Every node of a search, why it was left, and where the effort went.",
          "Begin with an example below, or record your own under Analyse.",
        ]),
        card(picture("runs.svg"), "#/runs", "Watch runs", [
          "Matches, evolution and learners as they go on: results, curves and games.",
          "Start a match, a suite or a learner here, or the studio with a folder of runs: plywise studio runs",
        ]),
      ),
      element(
        "div",
        { class: "home-lists" },
        this.trees(files),
        element(
          "section",
          { class: "card", "aria-label": "Examples" },
          element("h2", { text: "Examples" }),
          EXAMPLES.map((example) =>
            element(
              "div",
              { class: "home-example" },
              element("button", { class: "button", type: "button", text: example.title, onclick: () => this.open(example) }),
              element("span", { class: "quiet-text", text: example.told }),
            ),
          ),
          element("button", {
            class: "button",
            type: "button",
            text: "Compare minimax with alpha-beta",
            onclick: () => this.compare(BY_MINIMAX, BY_ALPHA_BETA),
          }),
        ),
        this.runs,
      ),
    );
    const [board, { runs }] = await Promise.all([
      api.board(SHOWN.game, "", SHOWN.moves).catch(() => null),
      api.runs().catch(() => ({ runs: [] })),
    ]);
    if (board) this.board.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(board.svg)}`;
    this.showRuns(runs);
  }

  trees(files) {
    const latest = files.toSorted((one, other) => (other.changed ?? 0) - (one.changed ?? 0));
    const links = latest.map(({ id, name, title, changed }) =>
      element("li", {}, element("a", { href: fileAddress(id), text: name }), ` ${title}${changed ? `, ${ago(changed)}` : ""}`),
    );
    const none = element("p", { class: "quiet-text", text: "None yet: plywise studio FILE.tree, or a folder that holds some." });
    return element(
      "section",
      { class: "card", "aria-label": "Latest trees" },
      element("h2", { text: "Latest trees" }),
      links.length ? element("ul", { class: "home-list" }, links) : none,
    );
  }

  showRuns(runs) {
    this.runs.hidden = runs.length === 0;
    const latest = runs.toSorted((one, other) => (other.changed ?? 0) - (one.changed ?? 0)).slice(0, MOST_RUNS);
    const told = ({ title, state, hero, changed }) => ` ${title}, ${state}${changed && state !== "running" ? ` ${ago(changed)}` : ""}${hero ? `, ${hero.name} ${hero.value}` : ""}`;
    this.runs.replaceChildren(
      element("h2", { text: "Latest runs" }),
      element(
        "ul",
        { class: "home-list" },
        latest.map((run) => element("li", {}, element("a", { href: runAddress(run.id), text: run.name }), told(run))),
      ),
    );
  }

  // Opens an example.
  async open(example) {
    try {
      await this.onRecorded(await this.record(example), !this.box.hidden);
    } catch (error) {
      say(sentence(error.message), true);
    }
  }

  async compare(one, other) {
    try {
      const a = await this.record(one);
      const b = await this.record(other);
      location.hash = compareAddress(a, b);
    } catch (error) {
      say(sentence(error.message), true);
    }
  }

  // The tree of an example, which is recorded once.
  async record({ title, task }) {
    const { files } = await api.files();
    if (files.some((file) => file.id === title)) return title;
    say("Recording the example …");
    return (await api.record({ ...task, name: title })).id;
  }
}

function card(image, href, title, told) {
  return element(
    "a",
    { class: "card home-card", href },
    image,
    element("h2", { text: title }),
    told.map((text) => element("p", { class: "quiet-text", text })),
  );
}

function picture(name) {
  return element("img", { src: name, alt: "" });
}
