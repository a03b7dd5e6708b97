// Whose game it is: a bar beside the board, and the score in words. All scores are seen by the first player.

import { element } from "./dom.js";
import { percent } from "./format.js";

const COLOURS = { White: "#f6f2e9", Black: "#2b2b2b", Red: "#d62828", Yellow: "#f6c915" };

export class EvaluationBar {
  constructor() {
    this.fill = element("span", { class: "evaluation-fill" });
    this.box = element("div", { class: "evaluation", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100 }, this.fill);
    this.show({ players: ["First", "Second"], chance: null, isTurned: false });
  }

  // `chance` is the share of a win that the first player may expect; null where it is unknown.
  show({ players: [first, second], chance, isTurned }) {
    const share = chance ?? 0.5;
    this.box.setAttribute("aria-label", `Chances of ${first}`);
    this.box.setAttribute("aria-valuenow", Math.round(100 * share));
    const words = chance === null ? "not searched" : `${first} may expect ${percent(share)} of the points`;
    this.box.setAttribute("aria-valuetext", words);
    this.box.title = words;
    this.box.classList.toggle("turned", isTurned);
    this.box.style.background = COLOURS[second] ?? "var(--ink-soft)";
    this.fill.style.background = COLOURS[first] ?? "var(--ink)";
    this.fill.style.height = `${100 * share}%`;
  }
}

// Who is better, in words.
export function verdict([first, second], chance) {
  const share = Math.max(chance, 1 - chance);
  if (share < 0.55) return "Even";
  const who = chance > 0.5 ? first : second;
  if (share < 0.7) return `${who} is slightly better`;
  return share < 0.9 ? `${who} is better` : share < 0.995 ? `${who} is winning` : `${who} wins`;
}
