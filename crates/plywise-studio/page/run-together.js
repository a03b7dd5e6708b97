// Several runs in one picture: what they have in common side by side, and their curves in the same charts.

import { Chart } from "./chart.js";
import { element, table } from "./dom.js";
import { count, minus } from "./format.js";
import { runAddress } from "./route.js";
import { arrange, setText } from "./run-parts.js";

// Facts that are lists of numbers.
const LISTS = /^Pairs by points/;

export class RunsTogether {
  constructor(names) {
    this.names = names;
    this.charts = new Map();
    this.chartBox = element("div", { class: "charts" });
    this.none = element("p", { class: "quiet-text", text: "These runs have no curves." });
    this.tableBox = element("section", { class: "card", "aria-label": "Results" });
    this.box = element(
      "div",
      { class: "runs-body" },
      element(
        "nav",
        { class: "run-crumbs", "aria-label": "Where this is" },
        element("a", { href: "#/runs", text: "Runs" }),
        element("span", { "aria-current": "page", text: `${names.length} runs together` }),
      ),
      this.tableBox,
      this.chartBox,
      this.none,
    );
  }

  show(runs) {
    const text = JSON.stringify(runs.map(({ rate, eta_s, ...rest }) => rest));
    if (text === this.text) return;
    this.text = text;
    this.showResults(runs);
    const charts = merged(runs);
    const titles = charts.map(({ title }) => title);
    for (const title of this.charts.keys()) if (!titles.includes(title)) this.charts.delete(title);
    for (const each of charts) {
      if (!this.charts.has(each.title)) this.charts.set(each.title, new Chart());
      this.charts.get(each.title).show(each);
    }
    arrange(this.chartBox, titles.map((title) => this.charts.get(title).box));
    this.none.hidden = charts.length > 0;
  }

  draw() {
    for (const chart of this.charts.values()) chart.drawSoon();
  }

  // The facts that any of them has, a row for each run.
  showResults(runs) {
    const all = runs.flatMap(({ facts }) => (facts ?? []).map(({ name }) => name));
    const facts = [...new Set(all)].filter((name) => !LISTS.test(name));
    const columns = [{ title: "Run", cells: "name" }, { title: "State" }, { title: "Done", cells: "figure" }, ...facts.map((title) => ({ title }))];
    const made = table("Results", columns);
    made.fill(
      runs.map((run) => [
        element("a", { href: runAddress(run.id), text: run.name }),
        run.state,
        `${count(run.units)} ${run.unit_name}`,
        ...facts.map((name) => minus((run.facts ?? []).find((fact) => fact.name === name)?.value ?? "–")),
      ]),
    );
    const title = element("h2", { text: runs.map(({ title }) => title).filter((each, at, all) => all.indexOf(each) === at).join(" · ") });
    this.tableBox.replaceChildren(title, made.box);
    setText(this.none, "These runs have no curves.");
  }
}

// Charts of the same title become one. A series is called after its run, and after itself where the run has several.
function merged(runs) {
  const charts = new Map();
  for (const run of runs) {
    for (const chart of run.charts ?? []) {
      const whole = charts.get(chart.title) ?? { ...chart, series: [], lines: chart.lines };
      const name = (series) => (chart.series.length === 1 ? run.name : `${run.name}: ${series.name}`);
      whole.series = [...whole.series, ...chart.series.map((series) => ({ ...series, name: name(series) }))];
      charts.set(chart.title, whole);
    }
  }
  return [...charts.values()];
}
