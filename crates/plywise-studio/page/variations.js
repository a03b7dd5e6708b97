// A game with its variations: a tree of moves, and the place in it that is shown.

export class Variations {
  // `texts` are the moves as people write them.
  constructor(moves = [], texts = []) {
    this.root = node(null, "", "");
    this.here = this.root;
    moves.forEach((engine, at) => this.play(engine, texts[at] ?? engine));
  }

  // The game that the server read from a text.
  static of(line) {
    const made = new Variations();
    grow(made.root, line);
    return made;
  }

  // Goes on by a move, which is added if it is not there.
  play(engine, text) {
    this.here = this.here.children.find((child) => child.engine === engine) ?? add(this.here, engine, text);
  }

  // Goes to where these moves lead, adding what is missing. `texts` are the moves as people write them.
  follow(moves, texts) {
    this.here = this.root;
    moves.forEach((engine, at) => this.play(engine, texts[at] ?? engine));
  }

  get path() {
    return pathTo(this.here);
  }

  get moves() {
    return this.path.map(({ engine }) => engine);
  }

  // The moves that lead to a node.
  movesTo(place) {
    return pathTo(place).map(({ engine }) => engine);
  }

  get end() {
    let last = this.here;
    while (last.children.length) last = last.children[0];
    return last;
  }

  // The main line from the start.
  get main() {
    const line = [];
    for (let at = this.root.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  // Takes the shown move and what follows it out; goes to the move before.
  cut() {
    const { here } = this;
    if (!here.parent) return;
    here.parent.children = here.parent.children.filter((child) => child !== here);
    this.here = here.parent;
  }

  // Makes the variation that is shown the first choice wherever it leaves another line.
  raise() {
    for (let at = this.here; at.parent; at = at.parent) {
      const { children } = at.parent;
      children.splice(0, 0, ...children.splice(children.indexOf(at), 1));
    }
  }
}

function node(parent, engine, text) {
  return { parent, engine, text, marks: "", comment: "", shown: "", children: [] };
}

function add(parent, engine, text) {
  const made = node(parent, engine, text);
  parent.children.push(made);
  return made;
}

function pathTo(place) {
  const path = [];
  for (let at = place; at.parent; at = at.parent) path.unshift(at);
  return path;
}

// Adds a line that the server told, with all that stands between its moves, behind a node.
export function grow(from, line) {
  let parent = from;
  for (const { engine, text, marks, comment, variations } of line) {
    let made = parent.children.find((child) => child.engine === engine);
    if (!made) {
      const [shown, words] = readEvaluation(comment);
      made = Object.assign(add(parent, engine, text), { marks, shown, comment: words });
    }
    for (const each of variations) grow(parent, each);
    parent = made;
  }
}

// A comment without the score in it, and the score.
function readEvaluation(comment) {
  const found = /\[%eval ([^\],]+)[^\]]*\]/.exec(comment);
  return [found?.[1] ?? "", comment.replace(/\[%[^\]]*\]/g, "").trim()];
}
