// The games of a run, page by page.

import { api, pgnAddress } from "./api.js";
import { element } from "./dom.js";
import { count } from "./format.js";
import { sentence } from "./games.js";
import { runGameAddress } from "./route.js";
import { setText } from "./run-parts.js";

const PAGE = 25;
const CHUNK = 1000;
// Games that run side by side may end out of order; the last ones are asked for once more.
const OVERLAP = 100;
const FILTERS = [
  ["all", "All"],
  ["won", "Won"],
  ["drawn", "Drawn"],
  ["lost", "Lost"],
];
const POINTS = { "1-0": 1, "0-1": -1, "1/2-1/2": 0, "½-½": 0 };

export class RunGames {
  constructor(run) {
    this.run = run;
    this.known = new Map();
    this.total = 0;
    this.filter = "all";
    this.page = 0;
    this.hero = null;
    this.isClosed = false;
    this.filters = FILTERS.map(([key]) =>
      element("button", {
        class: "button small",
        type: "button",
        "aria-pressed": String(key === this.filter),
        data: { filter: key },
        onclick: () => this.choose(key),
      }),
    );
    this.of = element("span", { class: "quiet-text" });
    this.rows = element("tbody");
    this.last = element("th", { scope: "col" });
    this.frame = element(
      "div",
      { class: "table-box", tabindex: "0", role: "region", "aria-label": "Games" },
      element(
        "table",
        {},
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            element("th", { scope: "col", text: "Game" }),
            element("th", { scope: "col", text: "First" }),
            element("th", { scope: "col", text: "Second" }),
            element("th", { scope: "col", text: "Result" }),
            this.last,
            element("th", { scope: "col", text: "Ending" }),
            element("th", { scope: "col", class: "figure", text: "Plies" }),
            element("th", { scope: "col", class: "figure", text: "Opening" }),
          ),
        ),
        this.rows,
      ),
    );
    this.none = element("p", { class: "quiet-text empty", hidden: true });
    const turn = (text, title, page) =>
      element("button", {
        class: "button small icon",
        type: "button",
        text,
        title,
        "aria-label": title,
        onclick: () => this.turn(page()),
      });
    this.turns = [
      turn("⇤", "First page", () => 0),
      turn("←", "Page before", () => this.page - 1),
      turn("→", "Next page", () => this.page + 1),
      turn("⇥", "Last page", () => Infinity),
    ];
    this.where = element("p", { class: "games-where", "aria-live": "polite" });
    this.trouble = element("p", { class: "error-text", role: "status" });
    this.box = element(
      "section",
      { class: "card run-games", "aria-label": "Games", hidden: true },
      element(
        "div",
        { class: "bar-row" },
        element("h2", { text: "Games" }),
        element("a", { class: "button small", href: pgnAddress(run), text: "All as PGN" }),
        element("span", { class: "push" }),
        this.of,
        element("div", { class: "filters", role: "group", "aria-label": "By result" }, this.filters),
      ),
      this.frame,
      this.none,
      element("div", { class: "games-foot" }, this.where, this.trouble, this.turns),
    );
  }

  close() {
    this.isClosed = true;
  }

  // There are so many games now.
  grow(total) {
    const isNew = total !== this.total || this.known.size < total;
    this.total = total;
    this.box.hidden = total === 0;
    if (isNew && total > 0 && !this.isLoading) this.load();
  }

  async load() {
    this.isLoading = true;
    let from = Math.max(0, this.known.size - OVERLAP);
    try {
      for (;;) {
        const { games, total } = await api.runGames(this.run, from, CHUNK);
        if (this.isClosed) return;
        for (const game of games) this.known.set(game.number, game);
        this.total = Math.max(this.total, total);
        from += games.length;
        this.show();
        if (!games.length || from >= total) break;
      }
      setText(this.trouble, "");
    } catch (error) {
      setText(this.trouble, sentence(error.message));
    }
    this.isLoading = false;
  }

  choose(filter) {
    this.filter = filter;
    this.page = 0;
    this.filters.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.filter === filter)));
    this.show();
  }

  turn(page) {
    this.page = page;
    this.show();
    this.frame.scrollTop = 0;
  }

  // Who is named first in the first game is who the results are told of.
  endOf({ players, result }) {
    const points = POINTS[result];
    if (points === undefined) return null;
    const mine = players[0] === this.hero ? points : -points;
    if (mine === 0) return "drawn";
    return mine > 0 ? "won" : "lost";
  }

  show() {
    const games = [...this.known.values()].sort((one, other) => one.number - other.number);
    this.hero = games[0]?.players[0] ?? null;
    const sorted = { all: games, won: [], drawn: [], lost: [] };
    for (const game of games) sorted[this.endOf(game)]?.push(game);
    FILTERS.forEach(([key, name], at) => setText(this.filters[at], `${name} ${count(sorted[key].length)}`));
    setText(this.of, this.hero ? `By the result of ${this.hero}` : "");
    setText(this.last, `For ${this.hero ?? "the first"}`);
    const chosen = sorted[this.filter];
    const pages = Math.max(1, Math.ceil(chosen.length / PAGE));
    this.page = Math.min(pages - 1, Math.max(0, this.page));
    const from = this.page * PAGE;
    const seen = chosen.slice(from, from + PAGE);
    this.frame.hidden = seen.length === 0;
    this.frame.classList.toggle("full", pages > 1);
    this.none.hidden = seen.length > 0;
    setText(this.none, `No game was ${this.filter} by ${this.hero} yet.`);
    setText(this.where, seen.length ? `${count(from + 1)}–${count(from + seen.length)} of ${count(chosen.length)}` : "");
    const [first, before, next, last] = this.turns;
    for (const button of [first, before]) setOff(button, this.page === 0);
    for (const button of [next, last]) setOff(button, this.page === pages - 1);
    this.fillRows(seen);
  }

  // Rows that are there already stay, with the focus that they may have.
  fillRows(games) {
    const text = JSON.stringify([this.hero, games]);
    if (text === this.text) return;
    const held = this.rows.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    this.text = text;
    this.rows.replaceChildren(...games.map((game) => this.row(game)));
    if (held) this.rows.querySelector(`a[href="${held}"]`)?.focus();
  }

  row(game) {
    const end = this.endOf(game);
    return element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        element("a", {
          href: runGameAddress(this.run, game.number),
          "aria-label": `Game ${game.number}`,
          text: count(game.number),
        }),
      ),
      element("td", { text: game.players[0] }),
      element("td", { text: game.players[1] }),
      element("td", { text: game.result }),
      element("td", {}, end && element("span", { class: "run-end", data: { end }, text: end })),
      element("td", { text: game.ending ?? "" }),
      element("td", { class: "figure", text: game.plies ?? "" }),
      element("td", { class: "figure", text: game.opening ?? "" }),
    );
  }
}

// Off, but a button that has the focus keeps it.
export function setOff(button, isOff) {
  if (isOff) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}
