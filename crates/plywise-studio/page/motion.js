// How pieces get from one picture of a board to the next.

import { isStill } from "./dom.js";

const MOVE_MS = 180;
const FALL_MS = 320;
// A picture that differs in more places is another position, not a move.
const MOST_CHANGED = 24;

// Moves the pieces of the picture `after` from where they stood in `before`. A piece on the place `set` was brought there by
// hand and stays.
export function move(before, after, set) {
  if (isStill() || !before || before.places.size !== after.places.size) return;
  const { gone, come } = changes(before, after);
  if (gone.length + come.length > MOST_CHANGED) return;
  const turned = [...before.places.values()].some(({ name, x, y }) => {
    const place = after.places.get(name);
    return !place || place.x !== x || place.y !== y;
  });
  if (turned) return;
  for (const [from, to] of pairs(gone, come, before, after)) if (to !== set) slide(after, from, to);
  const arrived = come.filter((name) => !name.isPaired).map(({ place }) => place);
  for (const place of arrived) {
    if (before.pieces.has(place)) flip(after, place);
    else if (place !== set || falls(after)) enter(after, place);
  }
}

// The places that a piece left, and those that one came to.
function changes(before, after) {
  const names = (picture) => (place) => picture.pieces.get(place)?.name;
  const differ = [...after.places.keys()].filter((place) => names(before)(place) !== names(after)(place));
  const list = (picture) =>
    differ
      .filter((place) => picture.pieces.has(place))
      .map((place) => ({ place, name: names(picture)(place), at: picture.places.get(place), isPaired: false }));
  return { gone: list(before), come: list(after) };
}

// Which piece went where: of the same name, and as many marbles of a line as stand between, each by one place.
function pairs(gone, come, before, after) {
  const found = [];
  for (const name of new Set(come.map((each) => each.name))) {
    const [left, right] = [gone, come].map((list) => list.filter((each) => each.name === name));
    // Places are in one order, so that a line that moves sideways keeps its order.
    if (left.length !== right.length) right.sort((one, other) => nearest(one, left) - nearest(other, left));
    right.forEach((to, at) => {
      const from = left.length === right.length ? left[at] : closestTo(to, left);
      if (!from || from.isPaired) return;
      from.isPaired = to.isPaired = true;
      found.push(...steps(from, to, before, after));
    });
  }
  return found;
}

function closestTo(to, list) {
  const free = list.filter(({ isPaired }) => !isPaired);
  return free.sort((one, other) => distance(one.at, to.at) - distance(other.at, to.at))[0];
}

function nearest(to, list) {
  return Math.min(Infinity, ...list.map((from) => distance(from.at, to.at)));
}

function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

// A line of marbles that is pushed ahead looks as if its last one had jumped: each goes by one place instead.
function steps(from, to, before, after) {
  const whole = distance(from.at, to.at);
  const isOn = ({ x, y }) =>
    Math.abs(distance(from.at, { x, y }) + distance({ x, y }, to.at) - whole) < 1 && before.places.get(from.place).isRound;
  const line = [...before.places.values()].filter(isOn);
  line.sort((one, other) => distance(from.at, one) - distance(from.at, other));
  const between = line.slice(1, -1);
  const isFull = between.length > 0 && between.every((place) => after.pieces.get(place.name)?.name === from.name);
  if (!isFull) return [[from.place, to.place]];
  return line.slice(1).map((place, at) => [line[at].name, place.name]);
}

function slide(picture, from, to) {
  const [start, end] = [picture.places.get(from), picture.places.get(to)];
  const { drawn } = picture.pieces.get(to);
  // What moves passes above what stands, but below what is drawn in front of all pieces.
  [...picture.pieces.values()].at(-1).drawn.after(drawn);
  play(drawn, [`translate(${start.x}px, ${start.y}px)`, `translate(${end.x}px, ${end.y}px)`], MOVE_MS, "ease-out");
}

function flip(picture, place) {
  const { x, y } = picture.places.get(place);
  const at = `translate(${x}px, ${y}px)`;
  play(picture.pieces.get(place).drawn, [`${at} scaleX(0.05)`, at], MOVE_MS, "ease-out");
}

function enter(picture, place) {
  const { x, y } = picture.places.get(place);
  const end = `translate(${x}px, ${y}px)`;
  if (falls(picture)) play(picture.pieces.get(place).drawn, [`translate(${x}px, 0)`, end], FALL_MS, "ease-in");
  else play(picture.pieces.get(place).drawn, [`${end} scale(0.6)`, end], MOVE_MS, "ease-out");
}

// Whether pieces enter at the top, behind the board.
function falls(picture) {
  return picture.root.querySelector("[data-front]") !== null;
}

function play(drawn, [from, to], duration, easing) {
  drawn.animate([{ transform: from }, { transform: to }], { duration, easing });
}
