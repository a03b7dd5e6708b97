// A small plot: one number by depth, for up to two searches.

import { element } from "./dom.js";
import { shortCount } from "./format.js";

const LEFT = 44;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 20;
const FONT = 11;
const SERIES = [
  { colour: "--cut", dash: [], mark: "disc" },
  { colour: "--pv", dash: [5, 4], mark: "square" },
];

export class Plot {
  // `isLog` makes the scale logarithmic; `write` says a number of the scale.
  constructor(title, { isLog = false, write = String } = {}) {
    this.title = title;
    this.isLog = isLog;
    this.write = write;
    this.series = [];
    this.canvas = element("canvas", { class: "plot", role: "img", "aria-label": `${title} by depth: nothing yet` });
    this.box = element("figure", { class: "plot-box" }, element("figcaption", { text: `${title} by depth` }), this.canvas);
    new ResizeObserver(() => this.drawSoon()).observe(this.canvas);
  }

  // Each series is a name and its points `{ x, y, text }`, by growing x.
  show(series) {
    this.series = series;
    const told = series.filter(({ points }) => points.length);
    const words = told.map(({ name, points }) => `${name} ${points.at(-1).text} at depth ${points.at(-1).x}`);
    this.canvas.setAttribute("aria-label", `${this.title} by depth: ${words.join("; ") || "nothing yet"}`);
    this.drawSoon();
  }

  drawSoon() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.draw();
    });
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const scale = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    const pen = this.canvas.getContext("2d");
    const look = getComputedStyle(this.canvas);
    pen.scale(scale, scale);
    pen.font = `${FONT}px ${look.fontFamily}`;
    const ink = look.color;
    const points = this.series.flatMap((each) => each.points);
    if (!points.length) {
      pen.fillStyle = ink;
      pen.textAlign = "center";
      pen.fillText("The search draws this.", width / 2, height / 2);
      return;
    }
    const last = Math.max(2, ...points.map(({ x }) => x));
    const first = Math.min(last - 1, ...points.map(({ x }) => x));
    const heights = points.map(({ y }) => this.level(y));
    let [low, high] = [Math.min(...heights), Math.max(...heights)];
    if (!this.isLog) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    if (high - low < 1e-9) [low, high] = [low - 1, high + 1];
    const xOf = (x) => LEFT + ((x - first) / (last - first)) * (width - LEFT - RIGHT);
    const yOf = (level) => height - BOTTOM - ((level - low) / (high - low)) * (height - TOP - BOTTOM);
    this.drawScales(pen, { width, height, low, high, first, last, xOf, yOf, ink, line: this.colour("--line") });
    this.series.forEach((series, at) => this.drawSeries(pen, series.points, SERIES[at], xOf, yOf));
  }

  level(y) {
    return this.isLog ? Math.log10(Math.max(1, y)) : y;
  }

  drawScales(pen, { width, height, low, high, first, last, xOf, yOf, ink, line }) {
    pen.fillStyle = ink;
    pen.strokeStyle = line;
    pen.lineWidth = 1;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const step = this.isLog ? Math.max(1, Math.ceil((high - low) / 4)) : niceStep((high - low) / 4);
    for (let level = Math.ceil(low / step) * step; level <= high + 1e-9; level += step) {
      const y = Math.round(yOf(level)) + 0.5;
      pen.beginPath();
      pen.moveTo(LEFT, y);
      pen.lineTo(width - RIGHT, y);
      pen.stroke();
      pen.fillText(this.isLog ? shortCount(10 ** level) : this.write(level), LEFT - 6, y);
    }
    pen.textAlign = "center";
    pen.textBaseline = "alphabetic";
    const every = Math.max(1, Math.ceil(((last - first) * 28) / (width - LEFT - RIGHT)));
    for (let x = first; x <= last; x += every) pen.fillText(String(x), xOf(x), height - 5);
  }

  drawSeries(pen, points, { colour, dash, mark }, xOf, yOf) {
    pen.strokeStyle = this.colour(colour);
    pen.fillStyle = this.colour(colour);
    pen.lineWidth = 2;
    pen.setLineDash(dash);
    pen.beginPath();
    for (const { x, y } of points) pen.lineTo(xOf(x), yOf(this.level(y)));
    pen.stroke();
    pen.setLineDash([]);
    for (const { x, y } of points) {
      const [left, top] = [xOf(x), yOf(this.level(y))];
      pen.beginPath();
      if (mark === "disc") pen.arc(left, top, 3, 0, 2 * Math.PI);
      else pen.rect(left - 3, top - 3, 6, 6);
      pen.fill();
    }
  }

  // A canvas knows no `light-dark()`; an element does.
  colour(name) {
    this.probe ??= this.box.appendChild(element("span", { class: "probe" }));
    this.probe.style.color = `var(${name})`;
    return getComputedStyle(this.probe).color;
  }
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].find((each) => each * power >= rough) * power;
}
