// What changes while somebody looks: asked again and again, or heard from the server as it happens.

import { api, liveAddress } from "./api.js";
import { sentence } from "./games.js";

const RETRY_MS = 2000;

// What went wrong, said for a line that stays until it is right again.
function troubleOf(error) {
  return error.status === 0 ? "The studio does not answer; trying again …" : sentence(error.message);
}

// Watches from `start` to `stop`, but not while the page is hidden. `news` is told what there is, `trouble` what is wrong,
// or null.
class Watcher {
  constructor({ news, trouble }) {
    this.news = news;
    this.trouble = trouble;
    this.isOn = false;
    // Whatever was asked in a round before is heard no more.
    this.round = 0;
    this.look = () => (document.hidden ? this.end() : this.begin(this.round));
  }

  start() {
    if (this.isOn) return;
    this.isOn = true;
    document.addEventListener("visibilitychange", this.look);
    if (!document.hidden) this.begin(this.round);
  }

  stop() {
    this.isOn = false;
    document.removeEventListener("visibilitychange", this.look);
    this.end();
  }

  end() {
    this.round += 1;
    clearTimeout(this.timer);
  }

  // Asks once and tells.
  async ask(question, round) {
    try {
      const answer = await question();
      if (round !== this.round) return;
      this.trouble(null);
      this.news(answer);
    } catch (error) {
      if (round === this.round) this.trouble(troubleOf(error));
    }
  }

  later(then, milliseconds, round) {
    if (round === this.round) this.timer = setTimeout(then, milliseconds);
  }
}

// Asks the same every so often.
export class Poll extends Watcher {
  constructor(question, every, listener) {
    super(listener);
    this.question = question;
    this.every = every;
  }

  async begin(round) {
    await this.ask(this.question, round);
    this.later(() => this.begin(round), this.every, round);
  }
}

// Hears how one run goes on.
export class Live extends Watcher {
  constructor(run, listener) {
    super(listener);
    this.run = run;
  }

  begin(round) {
    const source = new EventSource(liveAddress(this.run));
    this.source = source;
    source.addEventListener("run", (event) => {
      if (round !== this.round) return;
      this.trouble(null);
      this.news(JSON.parse(event.data));
    });
    source.addEventListener("failed", (event) => {
      source.close();
      if (round !== this.round) return;
      this.trouble(sentence(JSON.parse(event.data).error));
      this.later(() => this.begin(round), RETRY_MS, round);
    });
    source.onerror = async () => {
      source.close();
      // An event source does not say why it broke; a plain question does.
      if (round === this.round) await this.ask(() => api.run(this.run), round);
      this.later(() => this.begin(round), RETRY_MS, round);
    };
  }

  end() {
    super.end();
    this.source?.close();
  }
}
