// A game as PGN. White is the player who moves first, whatever colour the game gives that player.

const WIDTH = 79;

export function pgn({ title, isChess, first, second, result, played, position, isSecondFirst = false, date = new Date() }) {
  const tags = [
    ["Event", "Plywise studio"],
    ["Date", [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join(".")],
    ["White", first],
    ["Black", second],
    ["Result", result],
  ];
  if (!isChess) tags.push(["Variant", title]);
  if (position) tags.push(["SetUp", "1"], ["FEN", position]);
  const words = [];
  played.forEach((move, at) => {
    const ply = at + Number(isSecondFirst);
    if (ply % 2 === 0) words.push(`${ply / 2 + 1}.`);
    else if (at === 0) words.push(`${(ply + 1) / 2}...`);
    words.push(move);
  });
  words.push(result);
  const head = tags.map(([name, text]) => `[${name} "${text.replace(/[\\"]/g, "\\$&")}"]`);
  return `${head.join("\n")}\n\n${wrap(words)}\n`;
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
