// Light, dark, or as the system has it.

import { byId } from "./dom.js";
import { write } from "./storage.js";

const LOOKS = ["system", "light", "dark"];
const SIGNS = { system: "◐", light: "☀", dark: "☾" };
const NAMES = { system: "as the system has it", light: "light", dark: "dark" };

// `onChange` is told whenever colours change, by hand or by the system.
export function watchLook(onChange) {
  const button = byId("look");
  const show = () => {
    const look = document.documentElement.dataset.look ?? "system";
    button.textContent = SIGNS[look];
    button.title = `Look: ${NAMES[look]} (d)`;
    button.ariaLabel = `Look: ${NAMES[look]}`;
    onChange();
  };
  button.addEventListener("click", () => nextLook(show));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onChange);
  show();
}

function nextLook(show) {
  const { dataset } = document.documentElement;
  const next = LOOKS[(LOOKS.indexOf(dataset.look ?? "system") + 1) % LOOKS.length];
  if (next === "system") delete dataset.look;
  else dataset.look = next;
  write("plywise.look", next);
  show();
}
