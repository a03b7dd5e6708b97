// A form to begin a run with, made from what its command declares.

import { api } from "./api.js";
import { element } from "./dom.js";
import { sentence } from "./games.js";
import { runAddress } from "./route.js";

const NUMBER_FORMS = /^(N|MS)$/;

export class RunStart {
  constructor({ jobs, kept }, filled) {
    this.jobs = jobs;
    this.given = new Map(filled);
    this.form = element("form", { class: "card start-form", autocomplete: "off", onsubmit: (event) => this.submit(event) });
    this.trouble = element("p", { class: "error-text", role: "alert" });
    this.button = element("button", { class: "button strong", type: "submit", text: "Start" });
    this.begin = kept
      ? `It is kept in the folder ${kept}, like a run of the command line.`
      : "It is kept until the studio ends. Start the studio with a folder to keep runs: plywise studio runs";
    const job = this.jobs.forms.find(({ job }) => job === this.given.get("job")) ?? this.jobs.forms[0];
    this.tabs = this.jobs.forms.map((each) =>
      element("button", {
        class: "button",
        type: "button",
        "aria-pressed": String(each === job),
        text: each.title,
        onclick: () => this.show(each),
      }),
    );
    this.box = element(
      "div",
      { class: "runs-body" },
      element(
        "nav",
        { class: "run-crumbs", "aria-label": "Where this is" },
        element("a", { href: "#/runs", text: "Runs" }),
        element("span", { "aria-current": "page", text: "Start a run" }),
      ),
      element("h1", { text: "Start a run" }),
      element("div", { class: "bar-row", role: "group", "aria-label": "What to start" }, this.tabs),
      this.form,
    );
    this.show(job);
  }

  show(job) {
    this.job = job;
    this.tabs.forEach((tab, at) => tab.setAttribute("aria-pressed", String(this.jobs.forms[at] === job)));
    this.game = element(
      "select",
      { name: "game", onchange: () => this.changeGame() },
      this.jobs.games.map(({ name, title }) => element("option", { value: name, text: title, selected: name === this.given.get("game") })),
    );
    this.parameters = element("datalist", { id: "start-parameters" });
    this.fields = new Map();
    const fields = job.fields.map((field) => [field, this.field(field)]);
    const part = (isUsual) => fields.filter(([field]) => field.usual === isUsual).map(([, box]) => box);
    this.name = element("input", { type: "text", placeholder: "by itself", maxlength: 60 });
    this.form.replaceChildren(
      element("p", { class: "quiet-text", text: job.about ?? "" }),
      element("div", { class: "start-fields" }, labelled("Game", this.game), part(true), labelled("Name of the run", this.name)),
      element("details", {}, element("summary", { text: "More" }), element("div", { class: "start-fields" }, part(false))),
      element("p", { class: "quiet-text", text: `${this.begin} The page starts no other program and reads no file.` }),
      this.trouble,
      element("div", { class: "bar-row" }, this.button),
      this.parameters,
    );
    this.trouble.textContent = "";
    this.changeGame();
  }

  field(field) {
    const value = this.given.get(field.id) ?? field.value;
    const control = this.control(field, value);
    this.fields.set(field.id, control);
    return labelled(field.label, control, field.help);
  }

  control({ id, kind, form }, value) {
    const option = (name) => element("option", { value: name, text: name, selected: name === value });
    if (kind === "profile") return element("select", { onchange: () => this.changeProfile() }, this.jobs.profiles.map(option));
    if (kind === "suite") return element("select", {});
    if (kind === "switch") return element("input", { type: "checkbox", checked: value === "on" });
    const isNumber = kind === "number" && NUMBER_FORMS.test(form ?? "N");
    const list = { changes: "start-parameters", parameters: "start-parameters" }[kind];
    const example = { changes: "null_move.reduction=3", profiles: "best,classic" }[kind] ?? (id === "sprt" ? "0,10" : form);
    return element("input", { type: isNumber ? "number" : "text", min: isNumber && 0, step: isNumber && 1, value, list, placeholder: example, spellcheck: "false" });
  }

  // What depends on the game: its suites and parameters.
  changeGame() {
    const suite = this.job.fields.find(({ kind }) => kind === "suite");
    if (suite) {
      const names = this.jobs.suites[this.game.value] ?? [];
      this.fields.get(suite.id).replaceChildren(...names.map((name) => element("option", { value: name, text: name })));
    }
    this.changeProfile();
  }

  async changeProfile() {
    const profile = this.job.fields.find(({ kind }) => kind === "profile");
    if (!profile) return;
    try {
      const { groups } = await api.params(this.game.value, this.fields.get(profile.id).value);
      const paths = groups.flatMap(({ parameters }) => parameters);
      this.parameters.replaceChildren(...paths.map(({ path, doc }) => element("option", { value: path, text: doc })));
    } catch {
      // The names are a help, and no more.
    }
  }

  filled() {
    const filled = { game: this.game.value, name: this.name.value };
    for (const [id, control] of this.fields) {
      const value = control.type === "checkbox" ? (control.checked ? "on" : "") : control.value.trim();
      if (value) filled[id] = value;
    }
    return filled;
  }

  async submit(event) {
    event.preventDefault();
    this.button.disabled = true;
    this.trouble.textContent = "";
    try {
      const { run } = await api.start(this.job.job, this.filled());
      location.hash = runAddress(run);
    } catch (error) {
      this.trouble.textContent = sentence(error.message);
    }
    this.button.disabled = false;
  }
}

function labelled(label, control, help = "") {
  return element(
    "label",
    { class: "field start-field" },
    element("span", { text: label }),
    control,
    help && element("small", { class: "quiet-text", text: help }),
  );
}
