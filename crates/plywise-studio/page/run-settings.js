// The settings of a run as tables: what is one value, and what each of several players has, side by side.

import { element, table } from "./dom.js";
import { words } from "./format.js";
import { cellText } from "./run-table.js";

const LONGEST = 160;
// Names that only hold others.
const WRAPPERS = ["who", "setup", "engine"];

export function settingsTables(settings) {
  const entries = Object.entries(settings);
  const isList = ([, value]) => Array.isArray(value) && value.length > 0 && value.every((each) => each && typeof each === "object" && !Array.isArray(each));
  const single = entries.filter((entry) => !isList(entry)).flatMap(([name, value]) => flat(name, value));
  const tables = entries.filter(isList).map(([name, list]) => sideBySide(name, list));
  if (single.length) {
    const made = table("Settings", [{ title: "Setting", cells: "name" }, { title: "Value" }], "settings-table");
    made.fill(single.map(([name, value]) => [nameOf(name), shown(value)]));
    tables.unshift(made.box);
  }
  return tables.length ? tables : [element("p", { class: "quiet-text", text: "None are known." })];
}

// A column for each entry of a list. Rows in which they differ come first and are marked.
function sideBySide(name, list) {
  const columns = list.map((each) => new Map(flat("", each)));
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const differs = (key) => list.length > 1 && new Set(columns.map((column) => JSON.stringify(column.get(key)))).size > 1;
  const sorted = [...names.filter(differs), ...names.filter((key) => !differs(key))];
  const one = words(name).replace(/s$/, "");
  const heads = list.map((each, at) => ({ title: list.length > 1 ? `${one} ${at + 1}` : one }));
  const made = table(words(name), [{ title: words(name), cells: "name" }, ...heads], "settings-table");
  made.fill(
    sorted.map((key) => ({
      class: differs(key) ? "differs" : null,
      cells: [nameOf(key), ...columns.map((column) => (column.has(key) ? shown(column.get(key)) : "–"))],
    })),
  );
  return made.box;
}

// The values within a value, each with the path to it.
function flat(name, value) {
  // What is not set says nothing.
  if (value === null) return [];
  if (typeof value !== "object") return [[name, value]];
  if ("secs" in value && "nanos" in value) return [[name, `${value.secs + value.nanos / 1e9} s`]];
  if (Array.isArray(value) && value.every((each) => each === null || typeof each !== "object"))
    return [[name, value.length ? value.map(cellText).join(", ") : "none"]];
  const pairs = Object.entries(value);
  if (!pairs.length) return [[name, "none"]];
  const below = (key) => (Array.isArray(value) ? String(Number(key) + 1) : key);
  return pairs.flatMap(([key, each]) => flat(WRAPPERS.includes(key) ? name : name ? `${name} › ${below(key)}` : below(key), each));
}

// A text of many lines, such as a profile, is opened by a click.
function shown(value) {
  const text = cellText(value);
  if (text.length <= LONGEST && !text.includes("\n")) return text;
  return element("details", {}, element("summary", { text: `${text.slice(0, 60).split("\n")[0]} …` }), element("pre", { text }));
}

// The name of a parameter, such as `null_move.on`, stays as it is written on the command line.
function nameOf(key) {
  return key.includes(".") ? key : words(key);
}
