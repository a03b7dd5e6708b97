// A chart: several series over one scale, with bands, labelled lines, a legend and a crosshair that reads values. A part of it is
// seen larger by dragging over it, and curves can be smoothed.

import { element } from "./dom.js";
import { number, shortCount } from "./format.js";

const RIGHT = 14;
const TOP = 22;
const BOTTOM = 36;
const FONT = 11;
const MARK_SPACE = 14;
const MARK_EVERY = 64;
const LEAP = 10;
const COLOURS = 6;
const DASHES = [[], [6, 4], [2, 3], [9, 3, 2, 3]];
const MARKS = [
  (pen, x, y) => pen.arc(x, y, 3, 0, 2 * Math.PI),
  (pen, x, y) => pen.rect(x - 3, y - 3, 6, 6),
  (pen, x, y) => shape(pen, x, y, [0, -4, 4, 3, -4, 3]),
  (pen, x, y) => shape(pen, x, y, [0, -4, 4, 0, 0, 4, -4, 0]),
];
const SAMPLES = [
  "M11.5 6a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
  "M11.5 2.5h7v7h-7z",
  "M15 1.5l4.5 8h-9z",
  "M15 1.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z",
];
// A drag shorter than this is a click.
const LEAST_DRAG = 6;
// Curves of fewer points are not smoothed.
const LEAST_SMOOTHED = 8;
const ZOOM = 0.6;
const SVG = "http://www.w3.org/2000/svg";

export class Chart {
  // `onPick` is told the x that somebody clicks on; keys are then left to the page. `write` says a number of the scale.
  constructor({ onPick = null, write = number } = {}) {
    this.onPick = onPick;
    this.write = write;
    this.asked = null;
    this.hidden = new Set();
    this.at = null;
    this.pinned = null;
    // The part of the x axis that is seen, or null for all of it, and where a drag began.
    this.part = null;
    this.drag = null;
    this.smoothness = 0;
    this.data = { title: "", x: "", y: "", log: false, series: [], lines: [] };
    this.caption = element("figcaption", {});
    this.canvas = element("canvas", { class: "chart-picture", "aria-hidden": "true" });
    this.cover = element("canvas", {
      class: "chart-cover",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "chart",
      onpointermove: (event) => this.point(event),
      onpointerdown: (event) => this.press(event),
      onpointerup: (event) => this.release(event),
      onpointercancel: () => this.drop(),
      ondblclick: () => this.zoom(null),
      onpointerleave: (event) => event.pointerType === "mouse" && !this.drag && this.read(null),
      onblur: () => this.read(null),
      onkeydown: (event) => this.key(event),
    });
    this.tip = element("div", { class: "chart-tip", "aria-hidden": "true", hidden: true });
    this.voice = element("p", { class: "unseen", "aria-live": "polite" });
    this.legend = element("ul", { class: "chart-legend", "aria-label": "Series", onclick: (event) => this.toggle(event) });
    this.smoother = element("input", {
      type: "range",
      min: 0,
      max: 0.99,
      step: 0.01,
      value: 0,
      oninput: (event) => this.smooth(event.target.valueAsNumber),
    });
    this.smoothing = element("label", { class: "chart-smooth", hidden: true }, "Smooth ", this.smoother);
    this.whole = element("button", {
      class: "button small",
      type: "button",
      text: "Whole",
      title: "The whole chart (0)",
      hidden: true,
      onclick: () => this.zoom(null),
    });
    this.box = element(
      "figure",
      { class: "chart" },
      element("div", { class: "chart-head" }, this.caption, this.whole, this.smoothing),
      element("div", { class: "chart-frame" }, this.canvas, this.cover, this.tip),
      this.legend,
      this.voice,
    );
    new ResizeObserver(() => this.drawSoon()).observe(this.canvas);
  }

  // Shows a chart as the server writes one: `{ title, x, y, log, series: [{ name, points, band }], lines }`.
  // `span` may name an x where the chart begins and one where it ends.
  show(data) {
    const names = data.series.map(({ name }) => name);
    const isSame = names.join("\n") === this.names;
    Object.assign(this, { data, names: names.join("\n") });
    this.caption.textContent = data.title;
    // The crosshair reads what all series have, so that a key goes through every value.
    this.xs = [...new Set(data.series.flatMap(({ points }) => points.map(([x]) => x)))].sort((one, other) => one - other);
    if (!isSame) {
      this.styles = stylesOf(names);
      this.fillLegend(names);
    }
    this.smoothing.hidden = !data.series.some(({ points }) => points.length >= LEAST_SMOOTHED) || Boolean(this.onPick);
    this.smoother.setAttribute("aria-label", `Smooth ${data.title}`);
    // The y axis has only whole numbers where all that is shown has.
    this.isWhole = data.series.every(({ points, band }) => !band && points.every(([, y]) => Number.isInteger(y)));
    this.cover.setAttribute("aria-label", this.words());
    this.drawSoon();
  }

  // Marks one x, as the place where one is.
  pin(x) {
    if (this.pinned === x) return;
    this.pinned = x;
    this.drawCover();
  }

  // The chart for those who cannot see it: the last values.
  words() {
    const { title, x, series, lines = [] } = this.data;
    const told = series.filter(({ points }) => points.length);
    const last = told.map(({ name, points }) => {
      const [place, value] = points.at(-1);
      return `${name} ${this.write(value)} at ${number(place)} ${x}`;
    });
    const levels = lines.map(({ name, y }) => `line ${name} at ${this.write(y)}`);
    return `${title}: ${[...last, ...levels].join("; ") || "nothing yet"}`;
  }

  // ---- the legend

  fillLegend(names) {
    this.legend.hidden = names.length < 2;
    this.legend.replaceChildren(
      ...names.map((name, at) =>
        element(
          "li",
          {},
          element(
            "button",
            { type: "button", "aria-pressed": String(!this.hidden.has(name)), title: "Show or hide", data: { name } },
            sample(this.styles[at]),
            element("span", { text: name }),
          ),
        ),
      ),
    );
  }

  toggle(event) {
    const button = event.target.closest("button");
    if (!button) return;
    const { name } = button.dataset;
    if (!this.hidden.delete(name)) this.hidden.add(name);
    button.setAttribute("aria-pressed", String(!this.hidden.has(name)));
    this.drawSoon();
  }

  get shown() {
    const style = ({ points, ...series }, at) => ({
      ...series,
      at: this.styles[at],
      points: this.smoothness ? smoothed(points, this.smoothness) : points,
      raw: this.smoothness ? points : null,
    });
    return this.data.series.map(style).filter(({ name, points }) => points.length && !this.hidden.has(name));
  }

  smooth(smoothness) {
    this.smoothness = smoothness;
    this.drawSoon();
  }

  // Shows a part of the x axis, `[first, last]`, or null for all of it.
  zoom(part) {
    this.part = part;
    // What was read may lie outside.
    this.at = null;
    this.whole.hidden = part === null;
    this.drawSoon();
  }

  // Closer or further, around what is read or the middle.
  zoomBy(factor) {
    if (!this.scale) return;
    const { first, last } = this.scale;
    const { at } = this;
    const middle = at ?? (first + last) / 2;
    const [from, to] = this.data.span ?? range(this.xs);
    const part = [middle - (middle - first) * factor, middle + (last - middle) * factor];
    const [low, high] = [Math.max(from, part[0]), Math.min(to, part[1])];
    this.zoom(low <= from && high >= to ? null : [low, high]);
    this.read(at);
  }

  // ---- the picture

  drawSoon() {
    this.asked ??= requestAnimationFrame(() => {
      this.asked = null;
      this.draw();
    });
  }

  draw() {
    const pen = fit(this.canvas);
    if (!pen) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const look = getComputedStyle(this.canvas);
    pen.font = `${FONT}px ${look.fontFamily}`;
    this.ink = look.color;
    this.scale = null;
    const { shown } = this;
    if (!shown.length) {
      pen.fillStyle = this.ink;
      pen.textAlign = "center";
      const isHidden = this.data.series.some(({ points }) => points.length);
      pen.fillText(isHidden ? "All series are hidden." : "Nothing to draw yet.", width / 2, height / 2);
      this.drawCover();
      return;
    }
    this.scale = this.measure(pen, shown, width, height);
    this.drawScales(pen);
    pen.save();
    pen.beginPath();
    pen.rect(this.scale.left - 5, TOP - 5, width - RIGHT - this.scale.left + 10, height - TOP - BOTTOM + 10);
    pen.clip();
    for (const series of shown) this.drawBand(pen, series);
    for (const { raw, at } of shown) if (raw) this.drawRaw(pen, raw, at);
    for (const series of shown) this.drawSeries(pen, series);
    pen.restore();
    this.drawLines(pen);
    this.drawCover();
  }

  // The range of both axes, and where a value lies.
  measure(pen, shown, width, height) {
    const { log, lines = [] } = this.data;
    const level = (y) => (log ? Math.log10(y) : y);
    const isDrawn = (y) => Number.isFinite(y) && (!log || y > 0);
    const { part } = this;
    const isSeen = ([x]) => !part || (x >= part[0] && x <= part[1]);
    const ys = shown.flatMap(({ points }) => points.filter(isSeen).map(([, y]) => y));
    // A part may be far from a line; the whole shows it.
    if (!part) ys.push(...lines.map(({ y }) => y));
    // An error begins huge; its widest part may leave the picture, or nothing else would be seen.
    const bands = shown.flatMap(({ band }) => (band ?? []).filter(isSeen));
    ys.push(quantile(bands.map(([, low]) => low), 0.08), quantile(bands.map(([, , high]) => high), 0.92));
    const levels = ys.filter(isDrawn).map(level);
    let [low, high] = range(levels.length ? levels : [0, 1]);
    if (high - low < 1e-9) [low, high] = [low - (Math.abs(low) / 10 || 1), high + (Math.abs(high) / 10 || 1)];
    const slack = (high - low) * 0.04;
    [low, high] = [low - slack, high + slack];
    const many = Math.max(2, Math.floor((height - TOP - BOTTOM) / 40));
    const marks = log ? powers(low, high) : ticks(low, high, many, this.isWhole ? 1 : 0);
    const write = (mark) => (log ? shortNumber(10 ** mark) : this.write(mark));
    const widest = Math.max(...marks.map((mark) => pen.measureText(write(mark)).width), 16);
    // In steps, so that a digit more does not shift the picture.
    const left = Math.ceil((widest + 12) / 12) * 12;
    let [first, last] = part ?? this.data.span ?? range(shown.flatMap(({ points }) => [points[0][0], points.at(-1)[0]]));
    if (first === last) [first, last] = [first - 1, last + 1];
    const xOf = (x) => left + ((x - first) / (last - first)) * (width - left - RIGHT);
    const yOf = (y) => height - BOTTOM - ((level(y) - low) / (high - low)) * (height - TOP - BOTTOM);
    return { width, height, left, first, last, low, high, marks, write, xOf, yOf, level, isDrawn };
  }

  drawScales(pen) {
    const { width, height, left, first, last, low, high, marks, write, xOf } = this.scale;
    const line = this.colour("--line");
    pen.lineWidth = 1;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    for (const mark of marks) {
      const y = Math.round(height - BOTTOM - ((mark - low) / (high - low)) * (height - TOP - BOTTOM)) + 0.5;
      pen.strokeStyle = mark === 0 && !this.data.log ? this.colour("--line-strong") : line;
      pen.beginPath();
      pen.moveTo(left, y);
      pen.lineTo(width - RIGHT, y);
      pen.stroke();
      pen.fillStyle = this.ink;
      pen.fillText(write(mark), left - 6, y);
    }
    pen.textBaseline = "alphabetic";
    pen.textAlign = "left";
    if (this.data.y !== this.data.title) pen.fillText(this.data.y, 0, 11);
    pen.textAlign = "right";
    pen.fillText(this.data.x, width - RIGHT, height - 4);
    pen.textAlign = "center";
    const isWhole = this.xs.every(Number.isInteger);
    for (const x of ticks(first, last, Math.max(2, Math.floor((width - left) / 80)), isWhole ? 1 : 0)) {
      const text = shortNumber(x);
      const half = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(xOf(x), width - half), height - BOTTOM + 16);
    }
  }

  drawBand(pen, { band, at }) {
    if (!band?.length) return;
    const { xOf, yOf, isDrawn } = this.scale;
    const whole = band.filter(([, low, high]) => isDrawn(low) && isDrawn(high));
    pen.fillStyle = this.colour(colourOf(at));
    pen.globalAlpha = 0.16;
    pen.beginPath();
    for (const [x, , high] of whole) pen.lineTo(xOf(x), yOf(high));
    for (const [x, low] of whole.toReversed()) pen.lineTo(xOf(x), yOf(low));
    pen.closePath();
    pen.fill();
    pen.globalAlpha = 1;
  }

  // What was measured, faint behind the smooth curve.
  drawRaw(pen, points, at) {
    const { xOf, yOf, isDrawn } = this.scale;
    pen.strokeStyle = this.colour(colourOf(at));
    pen.globalAlpha = 0.3;
    pen.lineWidth = 1;
    pen.beginPath();
    for (const [x, y] of points) if (isDrawn(y)) pen.lineTo(xOf(x), yOf(y));
    pen.stroke();
    pen.globalAlpha = 1;
  }

  drawSeries(pen, { points, at }) {
    const { xOf, yOf, isDrawn } = this.scale;
    const colour = this.colour(colourOf(at));
    pen.strokeStyle = colour;
    pen.fillStyle = colour;
    pen.lineWidth = 1.75;
    pen.lineJoin = "round";
    pen.setLineDash(DASHES[styleOf(at)]);
    pen.beginPath();
    let isBroken = true;
    for (const [x, y] of points) {
      if (isDrawn(y)) pen[isBroken ? "moveTo" : "lineTo"](xOf(x), yOf(y));
      isBroken = !isDrawn(y);
    }
    pen.stroke();
    pen.setLineDash([]);
    const drawn = points.filter(([, y]) => isDrawn(y));
    if (!drawn.length) return;
    const space = (xOf(drawn.at(-1)[0]) - xOf(drawn[0][0])) / drawn.length;
    const every = space >= MARK_SPACE ? 1 : Math.ceil(MARK_EVERY / Math.max(space, 0.01));
    drawn.forEach(([x, y], place) => {
      if (place % every && place < drawn.length - 1) return;
      pen.beginPath();
      MARKS[styleOf(at)](pen, xOf(x), yOf(y));
      pen.fill();
    });
  }

  drawLines(pen) {
    const { width, left, yOf, isDrawn } = this.scale;
    const paper = this.colour("--surface");
    pen.strokeStyle = this.colour("--line-strong");
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "alphabetic";
    for (const { name, y } of (this.data.lines ?? []).filter(({ y }) => isDrawn(y))) {
      const level = Math.round(yOf(y)) + 0.5;
      pen.setLineDash([4, 3]);
      pen.beginPath();
      pen.moveTo(left, level);
      pen.lineTo(width - RIGHT, level);
      pen.stroke();
      pen.setLineDash([]);
      const text = `${name} ${this.write(y)}`;
      // Under the line where there is no room above it.
      const base = level - 4 < TOP + FONT ? level + FONT + 2 : level - 4;
      const wide = pen.measureText(text).width;
      pen.globalAlpha = 0.8;
      pen.fillStyle = paper;
      pen.fillRect(width - RIGHT - wide - 4, base - FONT + 1, wide + 4, FONT + 2);
      pen.globalAlpha = 1;
      pen.fillStyle = this.ink;
      pen.fillText(text, width - RIGHT - 2, base);
    }
  }

  // The crosshair has a picture of its own, so that many points are not drawn again for each move of the hand.
  drawCover() {
    const pen = fit(this.cover);
    if (!pen) return;
    this.tip.hidden = !this.scale || this.at === null;
    if (!this.scale) return;
    if (this.drag) {
      const { height } = this.scale;
      pen.fillStyle = this.colour("--focus");
      pen.globalAlpha = 0.18;
      pen.fillRect(Math.min(this.drag.from, this.drag.to), TOP - 4, Math.abs(this.drag.to - this.drag.from), height - TOP - BOTTOM + 4);
      pen.globalAlpha = 1;
    }
    if (this.pinned !== null) this.drawUpright(pen, this.pinned, this.colour("--hit-edge"), 2);
    if (this.at === null) return;
    const { xOf, yOf, isDrawn } = this.scale;
    this.drawUpright(pen, this.at, this.colour("--line-strong"), 1);
    const values = this.valuesAt(this.at).filter(({ y }) => isDrawn(y));
    for (const { x, y, at } of values) {
      pen.fillStyle = this.colour("--surface");
      pen.strokeStyle = this.colour(colourOf(at));
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(xOf(x), yOf(y), 4, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    }
    this.fillTip(values);
  }

  drawUpright(pen, x, colour, thick) {
    const { first, last, height, xOf } = this.scale;
    if (x < first || x > last) return;
    pen.strokeStyle = colour;
    pen.lineWidth = thick;
    pen.beginPath();
    pen.moveTo(Math.round(xOf(x)) + 0.5, TOP - 4);
    pen.lineTo(Math.round(xOf(x)) + 0.5, height - BOTTOM);
    pen.stroke();
  }

  fillTip(values) {
    const { width, xOf } = this.scale;
    this.tip.replaceChildren(
      element("p", { text: `${number(this.at)} ${this.data.x}` }),
      ...values.map(({ name, at, said }) =>
        element("p", {}, sample(at), element("span", { text: name }), element("b", { text: said })),
      ),
    );
    const x = xOf(this.at);
    const wide = this.tip.offsetWidth;
    const isRight = x + 12 + wide <= width;
    this.tip.style.transform = `translateX(${Math.max(0, isRight ? x + 12 : x - 12 - wide)}px)`;
  }

  // A canvas knows no `light-dark()`; an element does.
  colour(name) {
    this.probe ??= this.box.appendChild(element("span", { class: "probe" }));
    this.probe.style.color = `var(${name})`;
    return getComputedStyle(this.probe).color;
  }

  // ---- reading values

  // What each series is at an x: its value there, or its last one before.
  valuesAt(x) {
    return this.shown.flatMap(({ name, points, band, at }) => {
      const place = lastUpTo(points, x);
      if (place < 0) return [];
      const [there, y] = points[place];
      const error = band?.find(([x]) => x === there);
      const said = error ? `${this.write(y)} (${this.write(error[1])} to ${this.write(error[2])})` : this.write(y);
      return [{ name, at, x: there, y, said }];
    });
  }

  read(x) {
    if (this.at === x) return;
    this.at = x;
    this.drawCover();
  }

  nearest(event) {
    if (!this.scale || !this.xs.length) return null;
    const { first, last, left, width } = this.scale;
    const { left: edge } = this.cover.getBoundingClientRect();
    const share = (event.clientX - edge - left) / (width - left - RIGHT);
    const wanted = first + share * (last - first);
    const seen = this.xs.filter((x) => x >= first && x <= last);
    if (!seen.length) return null;
    return seen.reduce((best, x) => (Math.abs(x - wanted) < Math.abs(best - wanted) ? x : best));
  }

  point(event) {
    if (this.drag) this.drag.to = event.offsetX;
    const isSame = !this.drag && this.at === this.nearest(event);
    this.at = this.nearest(event);
    if (!isSame) this.drawCover();
  }

  press(event) {
    const x = this.nearest(event);
    this.read(x);
    if (this.onPick) {
      if (x !== null) this.onPick(x);
    } else if (event.pointerType === "mouse" && event.button === 0) {
      this.cover.setPointerCapture(event.pointerId);
      this.drag = { from: event.offsetX, to: event.offsetX };
    }
  }

  // What was dragged over is seen larger.
  release() {
    const { drag, scale } = this;
    this.drop();
    if (!drag || !scale || Math.abs(drag.to - drag.from) < LEAST_DRAG) return;
    const { first, last, left, width } = scale;
    const xAt = (place) => first + ((place - left) / (width - left - RIGHT)) * (last - first);
    const [from, to] = [xAt(Math.min(drag.from, drag.to)), xAt(Math.max(drag.from, drag.to))];
    this.zoom([Math.max(first, from), Math.min(last, to)]);
  }

  drop() {
    this.drag = null;
    this.drawCover();
  }

  key(event) {
    if (event.key === "Escape" && this.at !== null) {
      this.read(null);
      event.preventDefault();
      return;
    }
    const zooms = { "+": () => this.zoomBy(ZOOM), "=": () => this.zoomBy(ZOOM), "-": () => this.zoomBy(1 / ZOOM), 0: () => this.zoom(null) };
    if (zooms[event.key] && !this.onPick && !event.ctrlKey && !event.metaKey) {
      zooms[event.key]();
      event.preventDefault();
      return;
    }
    const xs = this.xs?.filter((x) => !this.part || (x >= this.part[0] && x <= this.part[1]));
    if (!xs?.length || this.onPick || event.ctrlKey || event.metaKey || event.altKey) return;
    const start = event.key === "ArrowRight" ? -1 : xs.length;
    const here = this.at === null ? start : xs.findLastIndex((x) => x <= this.at);
    const next = {
      ArrowLeft: here - 1,
      ArrowRight: here + 1,
      PageUp: here - LEAP,
      PageDown: here + LEAP,
      Home: 0,
      End: xs.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const x = xs[Math.min(xs.length - 1, Math.max(0, next))];
    this.read(x);
    const told = this.valuesAt(x).map(({ name, said }) => `${name} ${said}`);
    this.voice.textContent = `${number(x)} ${this.data.x}: ${told.join("; ")}`;
  }
}

// ---- how series differ: by colour, and by dash and mark

// A name has the same colour in every chart, as long as no other series of a chart has that colour too.
const known = new Map();

function stylesOf(names) {
  const taken = new Set();
  return names.map((name) => {
    if (!known.has(name)) {
      let free = 0;
      while (taken.has(free) || (free < COLOURS && names.some((other) => known.get(other) === free))) free += 1;
      known.set(name, free);
    }
    let at = known.get(name);
    while (taken.has(at)) at += 1;
    taken.add(at);
    return at;
  });
}

// An exponential moving mean of the values, as its beginning is not pulled towards zero.
export function smoothed(points, smoothness) {
  let [mean, weight] = [0, 0];
  return points.map(([x, y]) => {
    if (!Number.isFinite(y)) return [x, y];
    mean = smoothness * mean + (1 - smoothness) * y;
    weight = smoothness * weight + (1 - smoothness);
    return [x, mean / weight];
  });
}

function colourOf(at) {
  return `--series-${(at % COLOURS) + 1}`;
}

function styleOf(at) {
  return (at + Math.floor(at / COLOURS)) % DASHES.length;
}

// A piece of a series' line, for the legend.
function sample(at) {
  const picture = drawn("svg", { class: "sample", viewBox: "0 0 30 12", width: 30, height: 12, "aria-hidden": "true" });
  const dashes = DASHES[styleOf(at)].join(" ");
  const line = drawn("path", { d: "M0 6h30", "stroke-width": 2, "stroke-dasharray": dashes });
  const mark = drawn("path", { d: SAMPLES[styleOf(at)] });
  line.style.stroke = `var(${colourOf(at)})`;
  mark.style.fill = `var(${colourOf(at)})`;
  picture.append(line, mark);
  return picture;
}

function drawn(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function shape(pen, x, y, corners) {
  for (let at = 0; at < corners.length; at += 2) pen.lineTo(x + corners[at], y + corners[at + 1]);
  pen.closePath();
}

// ---- numbers

// Makes a canvas as sharp as the screen and empty; null where it is not seen.
function fit(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width || !height) return null;
  const sharp = devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * sharp), Math.round(height * sharp)];
  const pen = canvas.getContext("2d");
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

// The least and the greatest. Many numbers would be too many arguments.
function range(numbers) {
  return numbers.reduce(([low, high], each) => [Math.min(low, each), Math.max(high, each)], [Infinity, -Infinity]);
}

function quantile(numbers, share) {
  const sorted = numbers.filter(Number.isFinite).sort((one, other) => one - other);
  return sorted[Math.round(share * (sorted.length - 1))] ?? null;
}

// Round numbers within a range, at most so many or nearly; `least` is the smallest step.
function ticks(low, high, many, least = 0) {
  const rough = (high - low) / many;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [1, 2, 5, 10].map((each) => each * power);
  const fits = (step) => Math.floor(high / step) - Math.ceil(low / step) <= many;
  const step = Math.max(least, steps.find((each) => each >= rough / 2 && fits(each)) ?? steps.at(-1));
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) {
    // Steps add up to crumbs: 0.30000000000000004.
    found.push(Number((at * step).toPrecision(12)));
  }
  return found;
}

// Powers of ten within a range of logarithms; where there are fewer than two, parts of one.
function powers(low, high) {
  const whole = ticks(low, high, 4, 1);
  return whole.length >= 2 ? whole : ticks(low, high, 3);
}

function shortNumber(value) {
  return Math.abs(value) >= 10_000 ? shortCount(value) : number(value);
}

// The last point that is not after an x, by halves; -1 where all are.
function lastUpTo(points, x) {
  let [from, to] = [0, points.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (points[middle][0] <= x) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
