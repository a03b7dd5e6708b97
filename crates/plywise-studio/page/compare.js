// Two trees side by side: their iterations, their root moves, and the place where they part.

import { api } from "./api.js";
import { Asking } from "./asking.js";
import { overview } from "./compare-overview.js";
import { element, table } from "./dom.js";
import { count, line, plies, words } from "./format.js";
import { compareAddress, nodeAddress } from "./route.js";

const COLUMNS = [
  ["cuts", "Cuts"],
  ["left_out", "Moves left out"],
  ["spent", "Nodes spent"],
  ["saved", "Nodes saved, about"],
];

export class ComparePage {
  constructor(box) {
    this.box = box;
    this.turn = 0;
    this.asking = new Asking("Counting the nodes of both trees");
  }

  // Another page is shown.
  hide() {
    this.asking.stop();
  }

  async show(files, a, b) {
    const turn = (this.turn += 1);
    const body = element(
      "div",
      { class: "compare-body" },
      element("p", { class: "loading", text: "Following both searches …" }),
      this.asking.box,
    );
    this.box.replaceChildren(this.head(files, a, b), body);
    if (a === b) {
      body.replaceChildren(message("A tree is the same as itself.", "Choose another file on one side."));
      return;
    }
    try {
      const asked = this.asking.ask((key, signal) => api.diff(a, b, key, signal));
      const [diff, seen] = await Promise.all([asked, overview(a, b)]);
      if (turn !== this.turn) return;
      if (diff === null) {
        body.replaceChildren(message("The comparison was stopped.", "Choose a tree to begin again."));
        return;
      }
      body.replaceChildren(...this.tell(files, a, b, diff, seen));
      await this.drawBoards(body, turn, diff.parting, a, b);
    } catch (error) {
      if (turn === this.turn) body.replaceChildren(message("These trees cannot be compared.", error.message));
    }
  }

  head(files, a, b) {
    const choice = (label, chosen, address) =>
      element(
        "label",
        {},
        label,
        element(
          "select",
          {
            onchange: (event) => {
              location.hash = address(event.target.value);
            },
          },
          files.map(({ id, name }) => element("option", { value: id, selected: id === chosen, text: name })),
        ),
      );
    return element(
      "div",
      { class: "compare-head" },
      element("h1", { text: "Compare" }),
      choice("A", a, (id) => compareAddress(id, b)),
      choice("B", b, (id) => compareAddress(a, id)),
      element("a", { class: "button", href: compareAddress(b, a), text: "Swap" }),
    );
  }

  tell(files, a, b, { same, parting, techniques, nodes }, { rows, shared, moves, mover, answerer }) {
    const parts = [
      titledTable("Iteration by iteration", ["Depth", `Value for ${mover}, A`, "B", "Nodes, A", "B"], rows, "slim-columns"),
    ];
    if (moves.length) {
      const head = ["Move", "Order, A", "B", `Value for ${answerer}, A`, "B", "Nodes, A", "B"];
      parts.push(titledTable(`Root moves at depth ${plies(shared)}`, head, moves, "root-moves"));
    }
    if (same || !parting) {
      parts.push(message("Both searches took the same steps.", `${count(nodes.a)} nodes each.`));
    } else {
      parts.push(
        element(
          "p",
          { class: "compare-lead" },
          `The searches share ${parting.shared === 1 ? "one step" : `${count(parting.shared)} steps`} and part at `,
          element("b", { text: line(parting.path) }),
          ".",
        ),
        element(
          "div",
          { class: "sides" },
          side("A", nameOf(files, a), a, parting.a, nodes.a),
          side("B", nameOf(files, b), b, parting.b, nodes.b),
        ),
        differences(parting.differences),
      );
    }
    if (techniques?.length) parts.push(techniqueTable(techniques));
    return parts;
  }

  // The boards come afterwards; their places are kept free.
  async drawBoards(body, turn, parting, a, b) {
    if (!parting) return;
    for (const [file, act, name] of [
      [a, parting.a, "A"],
      [b, parting.b, "B"],
    ]) {
      const picture = body.querySelector(`[data-side="${name}"] img`);
      if (!act || !picture) continue;
      const detail = await api.node(file, act.id);
      if (turn !== this.turn) return;
      if (detail.svg) {
        picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(detail.svg)}`;
        picture.alt = `Board of ${name} after ${line(detail.path)}`;
        picture.hidden = false;
      }
    }
  }
}

function side(name, fileName, file, act, nodes) {
  const told = act
    ? [
        element(
          "p",
          { class: "side-step" },
          element("b", { text: act.leaves ? "Leaves" : "Enters" }),
          " ",
          element("a", { href: nodeAddress(file, act.id), text: `node ${act.id}` }),
        ),
        element("p", { class: "side-words", text: act.words }),
      ]
    : [element("p", { class: "side-step", text: "Has ended here." })];
  return element(
    "article",
    { class: "side", data: { side: name } },
    element(
      "h2",
      {},
      element("span", { class: "side-letter", text: name }),
      element("span", { class: "side-name", text: fileName }),
      element("span", { class: "side-nodes", text: `${count(nodes)} nodes` }),
    ),
    element(
      "div",
      { class: "side-body" },
      element("figure", { class: "board" }, element("img", { class: "board-picture", alt: "", hidden: true })),
      element("div", {}, told),
    ),
  );
}

function differences(rows) {
  const told = rows.map(({ what, a, b }) => [words(what), words(a), words(b)]);
  return titledTable("What differs there", ["What", "A", "B"], told, "slim");
}

// Techniques that did something in either search.
function techniqueTable(rows) {
  const did = ({ a, b }) => COLUMNS.some(([key]) => a?.[key] || b?.[key]);
  const numbers = rows.filter(did).map(({ technique, a, b }) => [
    words(technique),
    ...COLUMNS.flatMap(([key]) => [number(a?.[key]), number(b?.[key])]),
  ]);
  return titledTable("The techniques", ["Technique", ...COLUMNS.flatMap(([, title]) => [`${title}, A`, "B"])], numbers);
}

function titledTable(title, head, rows, sort = "") {
  const columns = head.map((text, at) => ({ title: text, cells: at ? "figure" : "name" }));
  const { box, fill } = table(title, columns);
  fill(rows);
  return element("section", { class: `compare-table ${sort}` }, element("h2", { text: title }), box);
}

function number(value) {
  return value === null || value === undefined ? "–" : count(Math.round(value));
}

function nameOf(files, id) {
  return files.find((file) => file.id === id)?.name ?? `file ${id}`;
}

function message(title, text) {
  return element("div", { class: "message" }, element("h2", { text: title }), element("p", { text }));
}
