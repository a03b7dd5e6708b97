// Edges between panes, to drag or to move with the arrow keys. What was chosen is remembered.

import { element } from "./dom.js";
import { read, write } from "./storage.js";

const STEP = 24;

// An edge that sets a property of `frame`: `isUpright` edges move to the side, others up and down. `size` tells how large
// the pane is that grows with it; `sign` is -1 where it grows to the left or up.
export function edge(frame, { name, label, isUpright, least, size, sign }) {
  const key = `plywise.${name}`;
  const set = (pixels) => {
    const limited = Math.round(Math.max(least, Math.min(pixels, (isUpright ? innerWidth : innerHeight) - 2 * least)));
    frame.style.setProperty(`--${name}`, `${limited}px`);
    bar.setAttribute("aria-valuenow", limited);
    write(key, limited);
    dispatchEvent(new Event("resize"));
  };
  let held = null;
  const place = (event) => (isUpright ? event.clientX : event.clientY);
  const bar = element("div", {
    class: `edge ${isUpright ? "upright" : "flat"}`,
    role: "separator",
    tabindex: "0",
    "aria-label": label,
    "aria-orientation": isUpright ? "vertical" : "horizontal",
    "aria-valuenow": 0,
    onpointerdown: (event) => {
      bar.setPointerCapture(event.pointerId);
      held = { from: place(event), size: size() };
    },
    onpointermove: (event) => held && set(held.size + sign * (place(event) - held.from)),
    onpointerup: () => {
      held = null;
    },
    onkeydown: (event) => {
      const steps = isUpright ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: -1, ArrowDown: 1 };
      if (!(event.key in steps)) return;
      event.preventDefault();
      set(size() + sign * steps[event.key] * STEP);
    },
  });
  const saved = Number(read(key));
  if (saved) frame.style.setProperty(`--${name}`, `${saved}px`);
  return bar;
}
