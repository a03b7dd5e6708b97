// Long questions: how far they are, and how they are stopped.

import { api } from "./api.js";
import { element } from "./dom.js";

const FIRST_MS = 300;
const EVERY_MS = 250;
const KEYS = 2 ** 50;

// Asks with `question(key, signal)`, and shows in a bar how far the answer is. One question at a time: another one stops it.
export class Asking {
  constructor(what) {
    this.what = what;
    this.running = null;
    this.bar = element("progress", { max: 1, "aria-label": what });
    this.told = element("span", { "aria-live": "off" });
    const stop = element("button", { class: "button small", type: "button", text: "Stop", onclick: () => this.stop() });
    this.box = element("div", { class: "asking", hidden: true }, this.bar, this.told, stop);
  }

  // The answer, or null where the question was stopped.
  async ask(question) {
    this.stop();
    const running = new AbortController();
    this.running = running;
    const key = Math.floor(Math.random() * KEYS);
    const timer = setTimeout(() => this.watch(running, key), FIRST_MS);
    try {
      return await question(key, running.signal);
    } catch (error) {
      if (error.name === "AbortError") return null;
      throw error;
    } finally {
      clearTimeout(timer);
      if (this.running === running) this.end();
    }
  }

  async watch(running, key) {
    if (this.running !== running) return;
    this.tell(null);
    this.box.hidden = false;
    while (this.running === running) {
      const { share } = await api.asked(key).catch(() => ({ share: null }));
      if (this.running === running) this.tell(share);
      await new Promise((settle) => setTimeout(settle, EVERY_MS));
    }
  }

  tell(share) {
    if (share === null) this.bar.removeAttribute("value");
    else this.bar.value = share;
    this.told.textContent = share === null ? this.what : `${this.what}: ${Math.round(share * 100)} %`;
  }

  stop() {
    this.running?.abort();
    this.end();
  }

  end() {
    this.running = null;
    this.box.hidden = true;
  }
}
