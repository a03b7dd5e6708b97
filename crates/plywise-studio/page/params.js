// The parameters of a profile: what can be changed, within which bounds, and what it means.

import { api } from "./api.js";
import { element } from "./dom.js";
import { count, words } from "./format.js";

export class ParameterList {
  constructor() {
    this.changed = new Map();
    this.wanted = null;
    this.shown = null;
    this.summary = element("summary", { text: "Parameters" });
    this.filter = element("input", {
      type: "text",
      placeholder: "Filter by name or meaning",
      "aria-label": "Filter parameters",
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.sift(),
    });
    this.only = element("input", { type: "checkbox", onchange: () => this.sift() });
    this.reset = element("button", {
      class: "button small",
      type: "button",
      text: "Reset all",
      onclick: () => this.clear(),
    });
    this.list = element("div", { class: "param-list", tabindex: "0", role: "region", "aria-label": "Parameters" });
    this.none = element("p", { class: "quiet-text", hidden: true, text: "No parameter fits the filter." });
    this.box = element(
      "details",
      { class: "params", ontoggle: () => this.load() },
      this.summary,
      element(
        "div",
        { class: "param-tools" },
        this.filter,
        element("label", {}, this.only, " Changed only"),
        this.reset,
      ),
      this.none,
      this.list,
    );
  }

  // Another game or profile. What was changed stays changed as long as that profile has it.
  choose(game, profile) {
    const wanted = `${game} ${profile}`;
    if (this.wanted === wanted) return;
    if (this.game !== game) this.changed.clear();
    Object.assign(this, { wanted, game, profile });
    this.tell();
    this.load();
  }

  // What to send: `path=value`.
  get set() {
    return [...this.changed].map(([path, value]) => `${path}=${value}`);
  }

  async load() {
    const { wanted } = this;
    if (!(this.box.open || this.changed.size) || !wanted || this.shown === wanted) return;
    this.list.replaceChildren(element("p", { class: "loading", text: "Reading the parameters …" }));
    try {
      const { groups } = await api.params(this.game, this.profile);
      if (wanted !== this.wanted) return;
      this.shown = wanted;
      this.fill(groups);
    } catch (error) {
      if (wanted !== this.wanted) return;
      this.list.replaceChildren(
        element("p", { class: "error-text", text: error.message }),
        element("button", { class: "button small", type: "button", text: "Try again", onclick: () => this.load() }),
      );
    }
  }

  fill(groups) {
    const known = new Map(groups.flatMap(({ parameters }) => parameters).map((each) => [each.path, Number(each.value)]));
    for (const [path, value] of this.changed) {
      if (!known.has(path) || known.get(path) === value) this.changed.delete(path);
    }
    this.rows = [];
    this.list.replaceChildren(
      ...groups.map(({ name, doc, parameters }) =>
        element(
          "fieldset",
          { class: "param-group" },
          element("legend", {}, element("b", { text: words(name) }), doc ? ` ${doc}` : ""),
          parameters.map((each) => this.row(each)),
        ),
      ),
    );
    this.tell();
    this.sift();
  }

  row(parameter) {
    const { path, name, min, max, is_bool: isSwitch, doc } = parameter;
    const normal = Number(parameter.value);
    const input = isSwitch
      ? element("input", { type: "checkbox", "aria-label": words(path) })
      : element("input", { type: "number", min, max, step: 1, "aria-label": words(path) });
    const range = isSwitch ? "on or off" : `${count(min)} to ${count(max)}`;
    const usual = isSwitch ? (normal ? "on" : "off") : count(normal);
    const back = element("button", { class: "button small", type: "button", text: `Back to ${usual}` });
    const box = element(
      "div",
      { class: "param" },
      element("code", { text: name }),
      element("span", { class: "param-value" }, input, element("span", { class: "unit", text: range }), back),
      element("p", { text: doc }),
    );
    const show = () => {
      const value = this.changed.get(path) ?? normal;
      if (isSwitch) input.checked = value !== 0;
      else input.value = value;
      mark();
    };
    const mark = () => {
      box.classList.toggle("changed", this.changed.has(path));
      back.hidden = !this.changed.has(path);
    };
    const take = () => {
      const value = isSwitch ? Number(input.checked) : input.valueAsNumber;
      const isGood = Number.isInteger(value) && value >= min && value <= max;
      input.setAttribute("aria-invalid", String(!isGood));
      if (!isGood) return;
      if (value === normal) this.changed.delete(path);
      else this.changed.set(path, value);
      mark();
      this.tell();
    };
    input.addEventListener("input", take);
    // What is out of range goes back to what will be sent.
    input.addEventListener("change", () => {
      input.removeAttribute("aria-invalid");
      show();
    });
    back.addEventListener("click", () => {
      this.changed.delete(path);
      show();
      this.tell();
      input.focus();
    });
    this.rows.push({ box, path, text: `${path} ${words(path)} ${doc}`.toLowerCase(), show });
    show();
    return box;
  }

  sift() {
    const sought = this.filter.value.trim().toLowerCase();
    for (const { box, path, text } of this.rows ?? [])
      box.hidden = !text.includes(sought) || (this.only.checked && !this.changed.has(path));
    let isEmpty = true;
    for (const group of this.list.querySelectorAll("fieldset")) {
      group.hidden = !group.querySelector(".param:not([hidden])");
      isEmpty &&= group.hidden;
    }
    this.none.hidden = !(isEmpty && this.rows?.length);
  }

  clear() {
    this.changed.clear();
    this.rows?.forEach(({ show }) => show());
    this.tell();
    this.sift();
  }

  tell() {
    const many = this.changed.size;
    this.summary.textContent = many ? `Parameters · ${many} changed` : "Parameters";
    this.summary.classList.toggle("changed", many > 0);
    this.reset.hidden = !many;
  }
}
