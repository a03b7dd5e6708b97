// A table of a run, which is sorted by a click on a column.

import { element } from "./dom.js";
import { number } from "./format.js";
import { setText } from "./run-parts.js";

const WIDE = 6;

export class RunTable {
  constructor() {
    this.columns = "";
    this.rows = "";
    this.order = null;
    this.title = element("h2");
    this.heads = element("tr");
    this.body = element("tbody");
    this.frame = element(
      "div",
      { class: "table-box", tabindex: "0", role: "region" },
      element("table", {}, element("thead", {}, this.heads), this.body),
    );
    this.box = element("section", { class: "card run-table" }, this.title, this.frame);
  }

  show(table) {
    const { title, columns } = table;
    setText(this.title, title);
    this.box.setAttribute("aria-label", title);
    this.frame.setAttribute("aria-label", title);
    this.box.classList.toggle("wide", columns.length > WIDE);
    const [names, rows] = [JSON.stringify(columns), JSON.stringify(table.rows)];
    if (names === this.columns && rows === this.rows) return;
    this.table = table;
    this.figures = columns.map((_, at) => isFigures(table.rows.map((row) => row[at])));
    this.decimals = columns.map((_, at) => decimalsOf(table.rows.map((row) => row[at])));
    if (names !== this.columns) this.fillHeads();
    Object.assign(this, { columns: names, rows });
    this.fillRows();
  }

  fillHeads() {
    this.order = null;
    this.heads.replaceChildren(
      ...this.table.columns.map((name, at) =>
        element(
          "th",
          { scope: "col", class: this.figures[at] ? "figure" : null },
          element("button", { type: "button", class: "sort", text: name, title: "Sort", onclick: () => this.sort(at) }),
        ),
      ),
    );
  }

  // Numbers begin with the greatest, words with the first; the third click is the order that the run has.
  sort(at) {
    const first = this.figures[at] ? -1 : 1;
    if (this.order?.at !== at) this.order = { at, way: first };
    else this.order = this.order.way === first ? { at, way: -first } : null;
    [...this.heads.children].forEach((head, place) => {
      if (this.order?.at === place) head.setAttribute("aria-sort", this.order.way > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    this.fillRows();
  }

  fillRows() {
    const { order } = this;
    let { rows } = this.table;
    if (order) rows = rows.toSorted((one, other) => order.way * compare(one[order.at], other[order.at]));
    this.body.replaceChildren(
      ...rows.map((row) =>
        element(
          "tr",
          {},
          row.map((cell, at) =>
            element(at === 0 ? "th" : "td", {
              scope: at === 0 && "row",
              class: this.figures[at] ? "figure" : null,
              text: this.figures[at] ? number(cell, this.decimals[at]) : cellText(cell),
            }),
          ),
        ),
      ),
    );
  }
}

function isFigures(cells) {
  const told = cells.filter((cell) => cell !== null);
  return told.length > 0 && told.every((cell) => typeof cell === "number");
}

// As many decimals as any number of the column needs, so that points stand under points.
function decimalsOf(cells) {
  const many = cells.map((cell) => /^[^e]*\.(\d+)$/.exec(number(cell))?.[1].length ?? 0);
  return many.reduce((most, each) => Math.max(most, each), 0);
}

function compare(one, other) {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en", { numeric: true });
}

export function cellText(cell) {
  if (cell === null || cell === undefined) return "–";
  if (typeof cell === "number") return number(cell);
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  return String(cell);
}
