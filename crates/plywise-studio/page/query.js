// The box for questions: completion while typing, mistakes with a mark at the character, hits below the outline.

import { api } from "./api.js";
import { Asking } from "./asking.js";
import { complete, Vocabulary } from "./completion.js";
import { byId, element, kindMark } from "./dom.js";
import { count, line, shortCount, value } from "./format.js";
import { nodeAddress } from "./route.js";

const FIRST = 100;
// The studio tells no more at once.
const MOST = 1000;

// How the hits are sorted: all that are marked, not only those that are listed.
const SORTS = { order: "Search order", nodes: "Most nodes", depth: "Most depth", value: "Highest value" };

export class QueryBox {
  // `onHits(ids)` is told what was found, also beyond what is listed; none when the hits are closed.
  constructor({ onHits }) {
    this.onHits = onHits;
    this.vocabulary = new Vocabulary();
    this.file = null;
    this.hits = [];
    this.at = -1;
    this.form = byId("query");
    this.input = byId("query-text");
    this.error = byId("query-error");
    this.panel = byId("hits");
    this.sort = element(
      "select",
      { class: "small", "aria-label": "Sort hits by", onchange: () => this.run(FIRST) },
      Object.entries(SORTS).map(([key, name]) => element("option", { value: key, text: name })),
    );
    this.asking = new Asking("Asking");
    this.form.after(this.asking.box);
    this.completions = new Completions(this.input, byId("completions"), () => this.vocabulary);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run(FIRST);
    });
    this.input.addEventListener("input", () => this.showError(null));
    this.panel.addEventListener("keydown", (event) => this.key(event));
  }

  // Another file: its hits are not those of the old one.
  setFile(file) {
    if (this.file === file) return;
    this.asking.stop();
    this.file = file;
    this.close();
  }

  // `first` hits are asked for.
  async run(first) {
    const text = this.input.value.trim();
    this.completions.close();
    if (!this.file) return;
    if (!text) {
      this.close();
      return;
    }
    const { file } = this;
    const sort = this.sort.value;
    this.form.setAttribute("aria-busy", "true");
    try {
      const answer = await this.asking.ask((key, signal) => api.query(file.id, text, { first, sort, key }, signal));
      if (answer === null || this.file !== file) return;
      this.showError(null);
      this.show(text, answer, first);
    } catch (error) {
      // The hits are those of another question.
      this.close();
      this.showError(error, text);
    } finally {
      if (!this.asking.running) this.form.removeAttribute("aria-busy");
    }
  }

  // Asks a question that somebody did not type.
  ask(text) {
    this.input.value = text;
    this.run(FIRST);
  }

  show(text, { count: total, ids, nodes }, first) {
    this.found = nodes;
    const told = total === 0 ? "No node" : total === 1 ? "1 node" : `${count(total)} nodes`;
    const part = total > nodes.length ? `, the first ${count(nodes.length)} are here` : "";
    const more =
      total > nodes.length && first < MOST
        ? element("button", {
            class: "button small",
            type: "button",
            text: "Show more",
            onclick: () => this.run(Math.min(MOST, first * 10)),
          })
        : null;
    const close = element("button", {
      class: "button small",
      type: "button",
      text: "Close",
      onclick: () => this.close(true),
    });
    const head = element(
      "div",
      { class: "hits-head" },
      element("h2", { role: "status", text: told + part }),
      nodes.length > 1 && this.sort,
      more,
      close,
    );
    this.list = element("ol", { class: "hits-list" });
    const none = element("p", { class: "quiet-text", text: `“${text}” is true of no node of this tree.` });
    this.panel.replaceChildren(head, nodes.length ? this.list : none);
    this.panel.hidden = false;
    this.fill();
    this.onHits(ids);
  }

  fill() {
    this.hits = this.found.map(({ node }) => node.id);
    this.at = -1;
    this.list.replaceChildren(...this.found.map((hit) => element("li", {}, this.link(hit))));
  }

  link({ node, path }) {
    const last = path.at(-1);
    return element(
      "a",
      { class: "hit-link", href: nodeAddress(this.file.id, node.id), data: { id: node.id } },
      kindMark(node.kind),
      element(
        "span",
        { class: "hit-path" },
        path.length > 1 ? `${line(path.slice(0, -1))} ` : "",
        element("b", { text: last ? line([last]) : "the root" }),
      ),
      element("span", { class: "hit-value", text: value(node) }),
      element("span", { class: "hit-nodes", text: shortCount(node.subtree) }),
    );
  }

  // The id of the hit that many further on, round the end to the beginning.
  step(by) {
    if (!this.hits.length) return null;
    this.at = this.at < 0 && by < 0 ? this.hits.length - 1 : (this.at + by + this.hits.length) % this.hits.length;
    return this.hits[this.at];
  }

  // Marks the hit that is selected in the list.
  select(id) {
    const at = this.hits.indexOf(id);
    if (at >= 0) this.at = at;
    for (const link of this.panel.querySelectorAll(".hit-link")) {
      const isIt = link.dataset.id === id;
      if (isIt) {
        link.setAttribute("aria-current", "true");
        link.scrollIntoView({ block: "nearest" });
      } else link.removeAttribute("aria-current");
    }
  }

  showError(error, text = "") {
    this.input.setAttribute("aria-invalid", String(Boolean(error)));
    this.error.hidden = !error;
    if (!error) return;
    const where = Number.isInteger(error.at)
      ? element(
          "pre",
          { "aria-hidden": "true" },
          `${text}\n${" ".repeat([...text].slice(0, error.at).length)}`,
          element("b", { text: "^" }),
        )
      : null;
    this.error.replaceChildren(...[where, element("p", { text: error.message })].filter(Boolean));
  }

  close(isAsked = false) {
    this.hits = [];
    this.at = -1;
    this.panel.hidden = true;
    this.panel.replaceChildren();
    this.onHits([]);
    if (isAsked) this.input.focus();
  }

  key(event) {
    const links = [...this.panel.querySelectorAll(".hit-link")];
    const at = links.indexOf(document.activeElement);
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 };
    if (event.key === "Escape") this.close(true);
    else if (event.key in steps && at >= 0) links[Math.max(0, Math.min(steps[event.key], links.length - 1))].focus();
    else return;
    event.preventDefault();
  }
}

// The list of completions under an input.
class Completions {
  constructor(input, list, vocabulary) {
    this.input = input;
    this.list = list;
    this.vocabulary = vocabulary;
    this.offered = null;
    this.active = -1;
    input.addEventListener("input", () => this.update(false));
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => this.close());
    list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option) this.accept(Number(option.dataset.at));
    });
  }

  get isOpen() {
    return !this.list.hidden;
  }

  update(isAsked) {
    const { input } = this;
    const offered = complete(input.value, input.selectionStart, this.vocabulary());
    if (!offered.options.length || !(isAsked || offered.isUrgent)) {
      this.close();
      return;
    }
    this.offered = offered;
    this.active = -1;
    const options = offered.options.map(({ label, what }, at) =>
      element(
        "li",
        { role: "option", id: `completion-${at}`, "aria-selected": "false", data: { at } },
        element("code", { text: label }),
        element("span", { text: what }),
      ),
    );
    this.list.replaceChildren(...options);
    this.list.hidden = false;
    this.list.scrollTop = 0;
    input.setAttribute("aria-expanded", "true");
    input.removeAttribute("aria-activedescendant");
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    if (!this.isOpen) {
      if (event.key === "ArrowDown" || (event.key === " " && event.ctrlKey)) {
        this.update(true);
        event.preventDefault();
      }
      return;
    }
    const many = this.offered.options.length;
    if (event.key === "ArrowDown") this.activate((this.active + 1) % many);
    else if (event.key === "ArrowUp") this.activate((Math.max(this.active, 0) + many - 1) % many);
    else if (event.key === "Enter" && this.active >= 0) this.accept(this.active);
    else if (event.key === "Tab" && !event.shiftKey) this.accept(Math.max(0, this.active));
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  activate(at) {
    this.active = at;
    [...this.list.children].forEach((option, place) => option.setAttribute("aria-selected", String(place === at)));
    this.list.children[at].scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", `completion-${at}`);
  }

  accept(at) {
    const { from, to, options } = this.offered;
    this.input.setRangeText(options[at].insert, from, to, "end");
    this.input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
