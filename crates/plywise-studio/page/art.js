// The drawings of single pieces, taken from the picture of a game's start.

import { api } from "./api.js";
import { readPicture } from "./places.js";

const known = new Map();

// The pieces with which a game begins, by name. None where the server does not answer: names serve as well.
export function piecesOf(game) {
  if (!known.has(game)) {
    const asked = api.board(game, "", []).then(({ svg }) => readPicture(svg).pieces);
    known.set(game, asked.then((pieces) => new Map([...pieces.values()].map(({ name, drawn }) => [name, drawn]))));
    asked.catch(() => known.delete(game));
  }
  return known.get(game).catch(() => new Map());
}

// A picture of one piece. A square of a board is 45 wide.
export function draw(drawn) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "-22.5 -22.5 45 45");
  picture.setAttribute("aria-hidden", "true");
  const copy = drawn.cloneNode(true);
  copy.removeAttribute("transform");
  for (const name of ["piece", "on"]) delete copy.dataset[name];
  picture.append(copy);
  return picture;
}
