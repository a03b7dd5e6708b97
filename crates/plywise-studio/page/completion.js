// What may come next in a question.

const RELATIVES = ["parent.", "root."];
const OPERATORS = ["=", "!=", "<", "<=", ">", ">="];

// Completions of the word at the caret: `{ from, to, options: [{ insert, label, what }] }`, and whether to offer them
// without being asked.
export function complete(text, caret, vocabulary) {
  const before = text.slice(0, caret);
  const word = before.match(/[\p{L}_][\p{L}\p{N}_.]*$/u)?.[0] ?? "";
  const from = caret - word.length;
  const left = before.slice(0, from);
  const none = { from, to: caret, options: [], isUrgent: false };
  if (isQuoted(left)) return none;

  const compared = left.match(/([\p{L}_][\p{L}\p{N}_.]*)\s*(=|==|!=)\s*$/u);
  const names = compared && vocabulary.field(compared[1])?.words;
  if (names)
    return offer(
      none,
      word,
      names.map((name) => ({ insert: `${name} `, label: name, what: "" })),
      true,
    );

  if (/\b(any|all|count|sum|min|max)\(\s*$/.test(left)) {
    const relations = [
      { insert: "child", label: "child", what: "the nodes right below" },
      { insert: "ancestor", label: "ancestor", what: "the nodes above" },
    ];
    return offer(none, word, relations, true);
  }
  if (word === "" && /[\p{L}\p{N}_.)'"]\s+$/u.test(left) && !/\b(and|or|not|begins)\s+$/.test(left)) {
    const isField = vocabulary.field(left.match(/([\p{L}_][\p{L}\p{N}_.]*)\s+$/u)?.[1] ?? "");
    const isPath = /\bpath\s+$/.test(left);
    const signs = isPath ? ["begins"] : isField ? OPERATORS : ["and", "or"];
    return offer(
      none,
      word,
      signs.map((sign) => ({ insert: `${sign} `, label: sign, what: "" })),
      false,
    );
  }
  return offer(none, word, operands(word, vocabulary), word !== "");
}

// All that can stand where a value is expected.
function operands(word, vocabulary) {
  const relative = word.match(/^((?:parent\.)+|root\.)/)?.[0] ?? "";
  const fields = vocabulary.fields.map(({ name, what }) => ({
    insert: `${relative}${name} `,
    label: relative + name,
    what,
  }));
  if (relative) return fields;
  return [
    ...fields,
    { insert: "path begins '", label: "path", what: "the moves that lead there: path begins 'e4 e5'" },
    { insert: "move = '", label: "move", what: "its last move: move = 'Nf3'" },
    ...RELATIVES.map((name) => ({
      insert: name,
      label: name,
      what: name === "root." ? "a field of its root" : "a field of the node above",
    })),
    ...vocabulary.functions.map((name) => ({
      insert: `${name}(`,
      label: `${name}(…)`,
      what: name === "abs" ? "without its sign" : "of its children or ancestors",
    })),
    { insert: "not ", label: "not", what: "" },
    { insert: "and ", label: "and", what: "" },
    { insert: "or ", label: "or", what: "" },
  ];
}

function offer(place, word, options, isUrgent) {
  const lower = word.toLowerCase();
  const begins = options.filter(({ label }) => label.startsWith(lower));
  const contains =
    lower.length > 1 ? options.filter(({ label }) => !label.startsWith(lower) && label.includes(lower)) : [];
  const found = [...begins, ...contains];
  const isDone = found.length === 1 && found[0].label === lower;
  return { ...place, options: isDone ? [] : found, isUrgent };
}

function isQuoted(text) {
  let quote = null;
  for (const letter of text) {
    if (quote) quote = letter === quote ? null : quote;
    else if (letter === "'" || letter === '"') quote = letter;
  }
  return quote !== null;
}

// The names that a question may use, from `/api/fields`.
export class Vocabulary {
  constructor({ fields = [], functions = [] } = {}) {
    this.fields = fields;
    this.functions = functions;
    this.byName = new Map(fields.map((field) => [field.name, field]));
  }

  // The field that a name such as `parent.parent.kind` ends in.
  field(name) {
    return this.byName.get(name.split(".").at(-1));
  }
}
