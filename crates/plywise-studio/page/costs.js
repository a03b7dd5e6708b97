// Which moves cost most, wherever in the tree they stand: the effort counted by move instead of by place.

import { api } from "./api.js";
import { Asking } from "./asking.js";
import { element, table } from "./dom.js";
import { count, percent, shortCount } from "./format.js";
import { nodeAddress } from "./route.js";

const SORTS = {
  nodes: { name: "Most nodes", of: ({ nodes }) => nodes },
  searches: { name: "Most searches", of: ({ searches }) => searches },
  each: { name: "Most nodes for a search", of: ({ nodes, searches }) => nodes / searches },
  cuts: { name: "Most cuts", of: ({ cuts }) => cuts },
};
const SHOWN = 100;

export class Costs {
  // `onAsk(question)` gets a question for the nodes that the user wants to see.
  constructor(box, { onAsk }) {
    this.onAsk = onAsk;
    this.known = new Map();
    this.asking = new Asking("Counting the nodes of every move");
    this.sort = element(
      "select",
      { class: "small", "aria-label": "Sort moves by", onchange: () => this.fill() },
      Object.entries(SORTS).map(([key, { name }]) => element("option", { value: key, text: name })),
    );
    this.sought = "";
    this.told = element("p", { class: "quiet-text", role: "status" });
    this.rows = table(
      "Moves by their cost",
      [
        { title: "Move", cells: "name" },
        { title: "By" },
        { title: "Nodes", cells: "figure" },
        { title: "Of the tree", cells: "cost-share" },
        { title: "Searches", cells: "figure" },
        { title: "Nodes each", cells: "figure" },
        { title: "Cuts", cells: "figure" },
        { title: "See" },
      ],
      "costs-table",
    );
    box.replaceChildren(element("div", { class: "bar-row" }, this.sort, this.told), this.asking.box, this.rows.box);
  }

  async show(file) {
    this.file = file;
    const known = this.known.get(file.id);
    if (known) return this.fill();
    this.told.textContent = "";
    this.rows.fill([]);
    try {
      const answer = await this.asking.ask((key, signal) => api.costs(file.id, key, signal));
      if (answer === null) this.told.textContent = "Stopped.";
      else {
        this.known.set(file.id, answer);
        if (this.file === file) this.fill();
      }
    } catch (error) {
      this.told.textContent = error.message;
    }
    return null;
  }

  // Only moves with this text in their name.
  seek(text) {
    this.sought = text.trim().toLowerCase();
    this.fill();
  }

  fill() {
    const known = this.file && this.known.get(this.file.id);
    if (!known) return;
    const { of } = SORTS[this.sort.value];
    const fitting = known.moves.filter(({ move }) => move.toLowerCase().includes(this.sought));
    const sorted = fitting.toSorted((one, other) => of(other) - of(one)).slice(0, SHOWN);
    this.told.textContent = `${count(known.different)} different moves in all iterations, the ${count(sorted.length)} greatest here. A move within another search of it counts once.`;
    this.rows.fill(sorted.map((row) => this.row(row, known.nodes)));
  }

  row({ move, mover, nodes, searches, cuts, id }, all) {
    const bar = element("span", { class: "cost-bar" });
    bar.style.width = `${Math.min(100, (100 * nodes) / all)}%`;
    return [
      move === "--" ? "pass" : move,
      mover ?? "",
      count(nodes),
      [element("span", { class: "cost-track", "aria-hidden": "true" }, bar), percent(nodes / all)],
      count(searches),
      shortCount(Math.round(nodes / searches)),
      count(cuts),
      [
        element("a", { href: nodeAddress(this.file.id, id), text: "largest" }),
        " ",
        element("button", {
          class: "button small",
          type: "button",
          text: "all",
          title: `Mark every search of ${move}`,
          "aria-label": `Mark every search of ${move}`,
          onclick: () => this.onAsk(`move = '${move}'`),
        }),
      ],
    ];
  }
}
