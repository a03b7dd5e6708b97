// The list of runs.

import { element } from "./dom.js";
import { ago } from "./format.js";
import { field } from "./games.js";
import { HeroLine } from "./hero.js";
import { runAddress, startAddress, togetherAddress } from "./route.js";
import { arrange, Progress, setText, StateMark } from "./run-parts.js";

const REMEMBERED = 20;
const LEAST_MS = 5000;

// How the list can be sorted. Runs that go on come first in any case.
const ORDERS = {
  newest: { name: "Newest", compare: (one, other) => (other.changed ?? 0) - (one.changed ?? 0) },
  name: { name: "Name", compare: (one, other) => one.name.localeCompare(other.name) },
  kind: { name: "Kind", compare: (one, other) => (one.command ?? "").localeCompare(other.command ?? "") },
  size: { name: "Size", compare: (one, other) => other.units - one.units },
};
const STATES = ["all", "running", "finished", "stopped", "damaged"];

export class RunList {
  constructor() {
    this.cards = new Map();
    this.runs = [];
    this.chosen = new Set();
    this.together = element("a", { class: "button", hidden: true });
    const again = () => this.show(this.runs);
    const option = (value, text) => element("option", { value, text });
    this.sought = element("input", { type: "text", placeholder: "Name, game or kind", oninput: again });
    this.state = element("select", { onchange: again }, STATES.map((state) => option(state, state)));
    this.order = element("select", { onchange: again }, Object.entries(ORDERS).map(([key, { name }]) => option(key, name)));
    this.tools = element(
      "div",
      { class: "bar-row run-tools" },
      field("Search", this.sought, "wide"),
      field("State", this.state),
      field("Sort by", this.order),
      this.together,
    );
    this.none = element("p", { class: "quiet-text", hidden: true, text: "No run fits." });
    this.list = element("ul", { class: "run-list" });
    this.empty = element(
      "div",
      { class: "message run-empty" },
      element("h2", { text: "There are no runs yet." }),
      element("p", { text: "A match, an evolution or a learner that keeps its run in a folder shows here as it goes on:" }),
      element("pre", {}, element("code", { text: "plywise match … --run runs/NAME\nplywise studio runs" })),
      element("p", { class: "quiet-text", text: "New runs under a folder that the studio watches appear by themselves." }),
    );
    this.summary = element("p", { class: "quiet-text" });
    this.box = element(
      "div",
      { class: "runs-body" },
      element(
        "div",
        { class: "runs-head" },
        element("h1", { text: "Runs" }),
        this.summary,
        element("span", { class: "push" }),
        element("a", { class: "button strong", href: startAddress([]), text: "Start a run" }),
      ),
      this.tools,
      this.none,
      this.list,
      this.empty,
    );
  }

  // A run that is to be seen together with others, or not any more.
  choose(id, isChosen) {
    if (isChosen) this.chosen.add(id);
    else this.chosen.delete(id);
    this.together.hidden = this.chosen.size < 2;
    this.together.href = togetherAddress([...this.chosen]);
    setText(this.together, `See ${this.chosen.size} together`);
  }

  // The runs that are asked for, in their order.
  sift(runs) {
    const sought = this.sought.value.trim().toLowerCase();
    const fits = ({ name, title, game, command, state }) =>
      [name, title, game, command].some((text) => (text ?? "").toLowerCase().includes(sought)) &&
      (this.state.value === "all" || this.state.value === state);
    const { compare } = ORDERS[this.order.value];
    const rank = ({ state }) => Number(state !== "running");
    return runs.filter(fits).sort((one, other) => rank(one) - rank(other) || compare(one, other));
  }

  show(runs) {
    this.runs = runs;
    for (const run of runs) {
      if (!this.cards.has(run.id)) this.cards.set(run.id, new RunCard(run, (isChosen) => this.choose(run.id, isChosen)));
      this.cards.get(run.id).show(run);
    }
    const ids = runs.map(({ id }) => id);
    for (const id of this.cards.keys()) if (!ids.includes(id)) this.cards.delete(id);
    const shown = this.sift(runs);
    arrange(this.list, shown.map(({ id }) => this.cards.get(id).box));
    this.tools.hidden = runs.length === 0;
    this.none.hidden = shown.length > 0 || runs.length === 0;
    this.list.hidden = runs.length === 0;
    this.empty.hidden = runs.length > 0;
    const running = runs.filter(({ state }) => state === "running").length;
    setText(this.summary, runs.length ? `${runs.length} in all, ${running} running` : "");
  }
}

class RunCard {
  // `onChoose` gets whether the run is to be shown with others.
  constructor({ id, name }, onChoose) {
    this.check = element("input", {
      type: "checkbox",
      "aria-label": `See ${name} together with others`,
      title: "See together with others",
      onchange: (event) => onChoose(event.target.checked),
    });
    this.samples = [];
    this.name = element("a", { class: "run-name", href: runAddress(id) });
    this.command = element("span", { class: "badge plain" });
    this.title = element("p", { class: "run-title" });
    this.hero = new HeroLine();
    this.state = new StateMark();
    this.progress = new Progress();
    this.notice = element("p", { class: "run-notice", hidden: true });
    this.box = element(
      "li",
      { class: "run-card" },
      element("div", { class: "run-what" }, element("h2", {}, this.check, this.name, this.command), this.title),
      this.hero.box,
      this.progress.box,
      this.state.box,
      this.notice,
    );
  }

  show(run) {
    setText(this.name, run.name);
    setText(this.command, run.command);
    setText(this.title, [run.title, run.game, run.limits, run.begun && `begun ${ago(run.begun)}`].filter(Boolean).join(" · "));
    this.state.show(run);
    this.hero.show(run.hero);
    this.progress.show({ ...this.pace(run), ...run });
    this.notice.hidden = !run.notice;
    setText(this.notice, run.notice ?? "");
  }

  // How fast a run goes, by what was seen of it: the list does not say.
  pace({ units, total, state }) {
    const now = performance.now();
    if (state !== "running") this.samples = [];
    this.samples.push({ now, units });
    if (this.samples.length > REMEMBERED) this.samples.shift();
    const [first] = this.samples;
    const rate = now - first.now < LEAST_MS ? 0 : ((units - first.units) / (now - first.now)) * 1000;
    if (!(rate > 0)) return {};
    return { rate, eta_s: total === null ? null : Math.max(0, total - units) / rate };
  }
}
