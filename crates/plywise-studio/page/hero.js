// The one figure that a run is about.

import { element } from "./dom.js";
import { count, minus, percent } from "./format.js";
import { setText } from "./run-parts.js";

const POINTS = ["0", "½", "1", "1½", "2"];

// In the list: the figure, and for a match the bar of its games.
export class HeroLine {
  constructor() {
    this.name = element("span", { class: "hero-name" });
    this.value = element("b", { class: "hero-value" });
    this.bar = new ResultBar();
    this.box = element("div", { class: "hero-line" }, this.name, this.value, this.bar.box);
  }

  show(hero) {
    this.box.style.visibility = hero ? "" : "hidden";
    if (!hero) return;
    setText(this.name, hero.name);
    setText(this.value, minus(hero.value));
    this.bar.show(hero.games);
  }
}

// On the run's own page: with the pairs of a match, and where its sequential test stands.
export class HeroCard {
  constructor() {
    this.line = new HeroLine();
    this.told = element("p", { class: "quiet-text" });
    this.pairs = element("div", { class: "hero-pairs" });
    this.test = element("div", { class: "hero-test", role: "meter" }, element("span", { class: "hero-mark" }));
    this.testWords = element("p", { class: "quiet-text" });
    this.pairBox = element("figure", {}, element("figcaption", { text: "Pairs by points" }), this.pairs);
    this.testBox = element("figure", {}, element("figcaption", { text: "Likelihood ratio" }), this.test, this.testWords);
    this.box = element(
      "section",
      { class: "card hero-card", "aria-label": "Result" },
      element("div", {}, this.line.box, this.told),
      this.pairBox,
      this.testBox,
    );
  }

  show(hero) {
    this.box.hidden = !hero;
    if (!hero) return;
    this.line.show(hero);
    const { games, pairs, test } = hero;
    setText(this.told, games ? `${count(games[0])} won, ${count(games[1])} drawn, ${count(games[2])} lost` : "");
    this.pairBox.hidden = !pairs?.some(Boolean);
    if (!this.pairBox.hidden) this.showPairs(pairs);
    this.testBox.hidden = !test;
    if (test) this.showTest(test);
  }

  showPairs(pairs) {
    const most = Math.max(...pairs);
    this.pairs.replaceChildren(
      ...pairs.map((many, at) => {
        const bar = element("span", { class: "pair-bar" });
        bar.style.height = `${(100 * many) / most}%`;
        return element(
          "div",
          { class: "pair", title: `${count(many)} pairs with ${POINTS[at]} points` },
          element("small", { text: count(many) }),
          element("div", { class: "pair-frame" }, bar),
          element("span", { text: POINTS[at] }),
        );
      }),
    );
  }

  showTest([ratio, lower, upper]) {
    const share = Math.min(1, Math.max(0, (ratio - lower) / (upper - lower)));
    this.test.firstChild.style.left = `${100 * share}%`;
    const words = ratio >= upper ? "accepted" : ratio <= lower ? "rejected" : "undecided";
    const said = `${minus(ratio.toFixed(2))} between ${minus(lower.toFixed(2))} and ${minus(upper.toFixed(2))}: ${words}`;
    this.test.ariaLabel = "Likelihood ratio";
    this.test.ariaValueMin = String(lower);
    this.test.ariaValueMax = String(upper);
    this.test.ariaValueNow = String(ratio);
    this.test.ariaValueText = said;
    setText(this.testWords, said);
  }
}

// Won, drawn and lost games side by side.
class ResultBar {
  constructor() {
    this.parts = ["won", "drawn", "lost"].map((what) => element("span", { class: `result-part ${what}` }));
    this.box = element("div", { class: "result-bar", role: "img", hidden: true }, this.parts);
  }

  show(games) {
    const all = (games ?? []).reduce((sum, many) => sum + many, 0);
    this.box.hidden = all === 0;
    if (!all) return;
    games.forEach((many, at) => (this.parts[at].style.flexGrow = many));
    const shares = games.map((many) => percent(many / all));
    this.box.ariaLabel = this.box.title = `Won ${shares[0]}, drawn ${shares[1]}, lost ${shares[2]}`;
  }
}
