// The parts that a run has in the list and on its own page: its state, and how far it is.

import { element } from "./dom.js";
import { ago, count, duration, pace } from "./format.js";

// Changes a text only where it is another, so that nothing flickers and nothing is read out again.
export function setText(box, text) {
  if (box.textContent !== text) box.textContent = text;
}

// A dot and a word.
export class StateMark {
  constructor() {
    this.word = element("span");
    const dot = element("span", { class: "dot", "aria-hidden": "true" });
    this.box = element("span", { class: "run-state" }, dot, this.word);
  }

  show({ state }) {
    this.box.dataset.state = state;
    setText(this.word, state);
  }
}

// A bar with how many units there are of how many, and how long it will take.
export class Progress {
  constructor() {
    this.fill = element("span", { class: "fill" });
    const told = { role: "progressbar", "aria-label": "Progress", "aria-valuemin": 0 };
    this.bar = element("div", { class: "run-bar", ...told }, this.fill);
    this.done = element("span", { class: "run-done" });
    this.rest = element("span", { class: "run-rest" });
    const figures = element("div", { class: "run-figures" }, this.done, this.rest);
    this.box = element("div", { class: "run-progress" }, this.bar, figures);
  }

  show(run) {
    const { units, total, unit_name: what, state } = run;
    const isOpen = total === null || total === undefined;
    const done = isOpen ? `${count(units)} ${what}` : `${count(units)} of ${count(total)} ${what}`;
    // Where nobody knows how many there will be, the bar says only whether more come.
    let share = total > 0 ? Math.min(1, units / total) : 1;
    if (isOpen && state !== "finished") share = null;
    this.bar.dataset.state = state;
    this.bar.dataset.open = share === null;
    this.fill.style.transform = share === null ? "" : `scaleX(${share})`;
    setAttribute(this.bar, "aria-valuetext", done);
    setAttribute(this.bar, "aria-valuemax", isOpen ? null : total);
    setAttribute(this.bar, "aria-valuenow", isOpen ? null : Math.min(units, total));
    setText(this.done, done);
    setText(this.rest, restOf(run));
  }
}

function restOf({ state, rate, eta_s: eta, unit_name: what, changed }) {
  if (state !== "running") return changed ? `changed ${ago(changed)}` : "";
  const told = [rate > 0 && pace(rate, what), Number.isFinite(eta) && `${duration(eta)} left`].filter(Boolean);
  return told.join(" · ") || (changed ? `changed ${ago(changed)}` : "");
}

function setAttribute(box, name, value) {
  if (value === null) box.removeAttribute(name);
  else if (box.getAttribute(name) !== String(value)) box.setAttribute(name, value);
}

// Puts the wanted children in order and takes the others away, without touching those that are in place.
export function arrange(box, wanted) {
  for (const child of [...box.children]) if (!wanted.includes(child)) child.remove();
  wanted.forEach((child, at) => {
    if (box.children[at] !== child) box.insertBefore(child, box.children[at] ?? null);
  });
}
