// One run: how far it is, its facts, charts, tables and games, and what it is made of.

import { api } from "./api.js";
import { Chart } from "./chart.js";
import { element, say } from "./dom.js";
import { HeroCard } from "./hero.js";
import { words } from "./format.js";
import { RunGames } from "./run-games.js";
import { arrange, Progress, setText, StateMark } from "./run-parts.js";
import { settingsTables } from "./run-settings.js";
import { cellText, RunTable } from "./run-table.js";

const IN_RESULT = /^(Result|Elo|Pairs by points.*|SPRT)$/;

export class RunView {
  constructor(id) {
    this.id = id;
    this.charts = new Map();
    this.tables = new Map();
    this.names = "";
    this.settings = "";
    this.title = element("h1");
    this.about = element("p", { class: "quiet-text" });
    this.state = new StateMark();
    this.progress = new Progress();
    this.notice = element("p", { class: "run-notice", hidden: true });
    this.stop = this.button("Stop", (run) => api.stopRun(run));
    this.goOn = this.button("Go on", (run) => api.goOnWithRun(run));
    this.hero = new HeroCard();
    this.facts = element("dl", { class: "run-facts" });
    this.chartBox = element("div", { class: "charts" });
    this.tableBox = element("div", { class: "run-tables" });
    this.games = new RunGames(id);
    this.settingsBox = element("div", { class: "run-settings" });
    this.crumb = element("span", { "aria-current": "page" });
    this.box = element(
      "div",
      { class: "runs-body" },
      element(
        "nav",
        { class: "run-crumbs", "aria-label": "Where this is" },
        element("a", { href: "#/runs", text: "Runs" }),
        this.crumb,
      ),
      element(
        "header",
        { class: "card run-head" },
        element("div", { class: "run-what" }, this.title, this.about),
        element("div", { class: "run-hand" }, this.state.box, this.stop, this.goOn),
        this.progress.box,
      ),
      this.notice,
      this.hero.box,
      this.facts,
      this.chartBox,
      this.tableBox,
      this.games.box,
      element("details", { class: "card" }, element("summary", { text: "Settings" }), this.settingsBox),
    );
  }

  show(run) {
    this.run = run;
    setText(this.title, run.title || run.name);
    setText(this.crumb, run.name);
    setText(this.about, [words(run.command), run.game_title ?? run.game].filter(Boolean).join(" · "));
    this.state.show(run);
    this.stop.hidden = !run.can_stop;
    this.goOn.hidden = !run.can_go_on;
    this.progress.show(run);
    this.notice.hidden = !run.notice;
    setText(this.notice, run.notice ?? "");
    this.hero.show(run.hero);
    // What the result shows already is not said again.
    const isSaid = ({ name }) => (run.hero?.games ? IN_RESULT.test(name) : run.hero?.name === name);
    this.showFacts((run.facts ?? []).filter((fact) => !isSaid(fact)));
    this.showEach(this.chartBox, this.charts, run.charts ?? [], () => new Chart());
    this.showEach(this.tableBox, this.tables, run.tables ?? [], () => new RunTable());
    this.games.grow(run.games ?? 0);
    this.showSettings(run.settings ?? {});
  }

  // What was begun on the page can be stopped there, and goes on there.
  button(text, act) {
    const press = async () => {
      button.disabled = true;
      try {
        await act(this.id);
      } catch (error) {
        say(error.message, true);
      }
      button.disabled = false;
    };
    const button = element("button", { class: "button", type: "button", hidden: true, text, onclick: press });
    return button;
  }

  close() {
    this.games.close();
  }

  draw() {
    for (const chart of this.charts.values()) chart.drawSoon();
  }

  showFacts(facts) {
    const names = facts.map(({ name }) => name).join("\n");
    if (names !== this.names) {
      this.names = names;
      this.facts.replaceChildren(
        ...facts.map(({ name }) =>
          element("div", {}, element("dt", { text: name }), element("dd"), element("dd", { class: "note" })),
        ),
      );
    }
    this.facts.hidden = facts.length === 0;
    facts.forEach(({ value, note }, at) => {
      const [, told, more] = this.facts.children[at].children;
      setText(told, cellText(value));
      setText(more, note ?? "");
    });
  }

  // Charts and tables are known by their titles; what was there stays there.
  showEach(box, known, wanted, make) {
    const titles = wanted.map(({ title }) => title);
    for (const title of known.keys()) if (!titles.includes(title)) known.delete(title);
    for (const each of wanted) {
      if (!known.has(each.title)) known.set(each.title, make());
      known.get(each.title).show(each);
    }
    arrange(box, titles.map((title) => known.get(title).box));
    box.hidden = wanted.length === 0;
  }

  showSettings(settings) {
    const text = JSON.stringify(settings);
    if (text === this.settings) return;
    this.settings = text;
    this.settingsBox.replaceChildren(...settingsTables(settings));
  }
}
