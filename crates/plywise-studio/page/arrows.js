// Arrows over a board: what an engine would play.

import { placesOf } from "./places.js";

const SVG = "http://www.w3.org/2000/svg";

export class Arrows {
  constructor() {
    this.box = document.createElementNS(SVG, "svg");
    this.box.setAttribute("class", "arrows");
    this.box.setAttribute("aria-hidden", "true");
    this.moves = [];
  }

  // Another picture: the arrows stay where the same moves are still shown.
  lay({ width, height, places }) {
    this.places = places;
    this.box.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.draw();
  }

  // Shows engine moves, the best one first.
  show(moves) {
    if (moves.join() === this.moves.join()) return;
    this.moves = moves;
    this.draw();
  }

  draw() {
    const drawn = this.moves.map((move, at) => this.mark(move, at)).filter(Boolean);
    // The best one lies above the others.
    this.box.replaceChildren(...drawn.reverse());
  }

  mark(move, at) {
    const path = placesOf(move).map((name) => this.places.get(name));
    if (!path.length || path.includes(undefined)) return null;
    const shape = path.length > 1 ? arrow(path[0], path.at(-1)) : ring(path[0]);
    shape.setAttribute("class", at ? "other" : "best");
    return shape;
  }
}

function ring({ x, y, wide }) {
  const made = document.createElementNS(SVG, "circle");
  for (const [name, value] of Object.entries({ cx: x, cy: y, r: 0.42 * wide })) made.setAttribute(name, value);
  return made;
}

function arrow(from, to) {
  const [right, down] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(right, down);
  const size = from.wide;
  // Along the arrow and to its left.
  const at = (along, aside) =>
    `${(from.x + (along * right + aside * down) / length).toFixed(1)},${(from.y + (along * down - aside * right) / length).toFixed(1)}`;
  const [neck, shaft, head, tip] = [length - 0.42 * size, 0.075 * size, 0.21 * size, length - 0.1 * size];
  const half = [
    [0.15 * size, shaft],
    [neck, shaft],
    [neck, head],
  ];
  const points = [...half, [tip, 0], ...half.toReversed().map(([along, aside]) => [along, -aside])];
  const made = document.createElementNS(SVG, "polygon");
  made.setAttribute("points", points.map(([along, aside]) => at(along, aside)).join(" "));
  return made;
}
