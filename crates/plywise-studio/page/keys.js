// The keyboard: letters that work anywhere on the page, and the dialog that lists all keys.

import { byId, element, openDialog } from "./dom.js";
import { read, write } from "./storage.js";

const SWITCH = "plywise.letters";

const GROUPS = [
  [
    "Outline",
    [
      ["↑ ↓", "the row above, below"],
      ["→", "open, or to the first child"],
      ["←", "close, or to the parent"],
      ["Enter", "open or close"],
      ["Home End", "the first, the last row"],
      ["Page ↑ ↓", "a screen up, down"],
    ],
  ],
  [
    "Jumps",
    [
      ["p", "the principal variation"],
      ["l", "the largest child"],
      ["f", "the first fail-high below"],
      ["t", "the next node that the chosen technique cut"],
      ["u", "the node above"],
      [", .", "the event of the search before, after"],
      ["[ ]", "the iteration before, after"],
      ["n N", "the next hit, the one before"],
    ],
  ],
  [
    "Effort",
    [
      ["← → ↑ ↓", "from node to node"],
      ["Enter", "zoom in and select"],
      ["+ −", "zoom in, out"],
      ["Home", "the whole iteration"],
      ["Enter", "in Find a move: the largest, then the next"],
      ["z", "zoom to the selected node, from anywhere"],
    ],
  ],
  [
    "Analyse",
    [
      ["o", "to the board: arrows go from place to place, Enter takes and puts, Escape lets go"],
      ["s", "start, stop; the search follows the board"],
      ["← → b", "a move back, forward; take back"],
      ["Home End", "the start, the end"],
      ["a", "annotate the game"],
      ["f x", "turn the board"],
      ["r", "record a tree"],
    ],
  ],
  [
    "Play",
    [
      ["o", "to the board"],
      ["g", "new game"],
      ["b", "take back"],
      ["f x", "turn the board"],
      ["h", "hint"],
      ["← →", "look back at the moves"],
      ["Home End", "the start, the end"],
    ],
  ],
  [
    "Runs",
    [
      ["← →", "in a game: a move back, forward; in a chart: from value to value"],
      ["Home End", "in a game: the start, the end"],
      ["+ − 0", "in a chart: closer, further, the whole"],
      ["o", "to the board of a game"],
      ["f x", "turn the board"],
      ["[ ]", "the game before, after"],
      ["u", "up: from the game to the run, from the run to the list"],
    ],
  ],
  [
    "Page",
    [
      ["/", "ask a question; ↓ offers completions, Tab takes one"],
      ["o", "to the outline"],
      ["x", "turn the board"],
      ["e", "to the effort"],
      ["d", "light, dark, or as the system has it"],
      ["?", "these keys"],
    ],
  ],
];

// `actionOf` tells what a letter does now, if anything.
export function listen(actionOf) {
  const dialog = byId("keys");
  fill(dialog);
  byId("keys-button").addEventListener("click", () => openDialog(dialog));
  document.addEventListener("keydown", (event) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isTyping(event.target) ||
      isDialogOpen()
    )
      return;
    if (event.key === "?") openDialog(dialog);
    else if ((event.key.length > 1 || areLettersOn()) && actionOf(event.key)) actionOf(event.key)();
    else return;
    event.preventDefault();
  });
}

function isTyping(target) {
  return target.closest?.("input, select, textarea") !== null;
}

function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}

function areLettersOn() {
  return read(SWITCH) !== "off";
}

function fill(dialog) {
  const groups = GROUPS.map(([title, keys]) =>
    element(
      "section",
      {},
      element("h3", { text: title }),
      element(
        "dl",
        {},
        keys.map(([key, what]) =>
          element(
            "div",
            {},
            element(
              "dt",
              {},
              key.split(" ").map((each) => element("kbd", { text: each })),
            ),
            element("dd", { text: what }),
          ),
        ),
      ),
    ),
  );
  const letters = element("input", {
    type: "checkbox",
    checked: areLettersOn(),
    onchange: (event) => write(SWITCH, event.target.checked ? "on" : "off"),
  });
  dialog.replaceChildren(
    element("h2", { id: "keys-title", text: "Keys" }),
    element("div", { class: "key-groups" }, groups),
    element(
      "form",
      { method: "dialog", class: "dialog-foot" },
      element("label", {}, letters, " Letters work as keys"),
      element("button", { class: "button strong", text: "Close" }),
    ),
  );
}
