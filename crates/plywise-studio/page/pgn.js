// A game as PGN. White is the player who moves first, whatever colour the game gives that player.

const WIDTH = 79;
const CODES = { "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6 };

// `moves` is the first choice and its variations, as `Variations` has them: each node is followed by its children.
export function pgn({ title, isChess, first, second, result, moves, position, isSecondFirst = false, date = new Date() }) {
  const tags = [
    ["Event", "Plywise studio"],
    ["Date", [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join(".")],
    ["White", first],
    ["Black", second],
    ["Result", result],
  ];
  if (!isChess) tags.push(["Variant", title]);
  if (position) tags.push(["SetUp", "1"], ["FEN", position]);
  const words = [...line(moves, Number(isSecondFirst)), result];
  const head = tags.map(([name, text]) => `[${name} "${text.replace(/[\\"]/g, "\\$&")}"]`);
  return `${head.join("\n")}\n\n${wrap(words)}\n`;
}

function line(choices, from) {
  const words = [];
  let [first, ...others] = choices;
  let ply = from;
  let isNumbered = true;
  while (first) {
    if (ply % 2 === 0) words.push(`${ply / 2 + 1}.`);
    else if (isNumbered) words.push(`${(ply + 1) / 2}...`);
    words.push(first.text);
    if (CODES[first.marks]) words.push(`$${CODES[first.marks]}`);
    const comment = [first.shown && `[%eval ${first.shown}]`, first.comment].filter(Boolean).join(" ").replace(/[{}]/g, "");
    if (comment) words.push(...`{${comment}}`.split(/\s+/));
    for (const other of others) {
      const inner = line([other], ply);
      words.push(`(${inner[0]}`, ...inner.slice(1, -1), `${inner.at(-1)})`);
    }
    isNumbered = Boolean(comment || others.length);
    [first, ...others] = first.children;
    ply += 1;
  }
  return words;
}

// Moves without variations, as nodes.
export function nodesOf(played) {
  const nodes = played.map((text) => ({ text, marks: "", comment: "", shown: "", children: [] }));
  nodes.forEach((node, at) => at && nodes[at - 1].children.push(node));
  return nodes.slice(0, 1);
}

function wrap(words) {
  const lines = [];
  for (const word of words) {
    if (lines.length && lines.at(-1).length + 1 + word.length <= WIDTH) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}

function two(number) {
  return String(number).padStart(2, "0");
}
