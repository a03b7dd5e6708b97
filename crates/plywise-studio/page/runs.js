// Runs: the list of them, one of them while it goes on, a game of a match, several together, and a form to begin one.

import { api } from "./api.js";
import { element } from "./dom.js";
import { Live, Poll } from "./live.js";
import { Replay } from "./replay.js";
import { runAddress } from "./route.js";
import { RunList } from "./run-list.js";
import { RunStart } from "./run-start.js";
import { RunsTogether } from "./run-together.js";
import { RunView } from "./run-view.js";

const POLL_MS = 3000;

export class RunsPage {
  constructor(box) {
    this.box = box;
    this.turn = 0;
    this.watcher = null;
    this.list = null;
    this.view = null;
    this.replay = null;
    // How far each part was scrolled, for whoever comes back.
    this.scrolled = new WeakMap();
    this.content = element("div", { class: "runs-content" });
    this.content.addEventListener("scroll", () => this.shown && this.scrolled.set(this.shown, this.content.scrollTop), {
      passive: true,
    });
    this.trouble = element("p", { class: "run-trouble", role: "status" });
    box.replaceChildren(this.content, this.trouble);
  }

  async show({ page, run, game, ply, together, filled }) {
    const turn = (this.turn += 1);
    const isHere = () => turn === this.turn;
    if (page !== "runs") {
      this.leave();
      await (page === "start" ? this.showStart(filled, isHere) : this.showTogether(together, isHere));
      return;
    }
    if (this.replay && this.replay.run.id === run && this.replay.game.number === game) {
      this.replay.go(ply ?? 0);
      return;
    }
    this.leave();
    if (run === null) await this.showList(isHere);
    else if (game === null) await this.showRun(run, isHere);
    else await this.showGame(run, game, ply, isHere);
  }

  hide() {
    this.turn += 1;
    this.leave();
  }

  draw() {
    this.view?.draw();
    this.together?.draw();
    this.replay?.chart.drawSoon();
  }

  // From a game to its run, from a run to the list.
  goUp() {
    if (this.replay) location.hash = runAddress(this.replay.run.id);
    else if (this.shown !== this.list?.box) location.hash = "#/runs";
  }

  // ---- the three parts

  async showList(isHere) {
    document.title = "Runs · plywise studio";
    if (!this.list) {
      this.wait("Looking for runs …");
      const { runs } = await api.runs();
      if (!isHere()) return;
      this.list = new RunList();
      this.list.show(runs);
    }
    this.put(this.list.box);
    const listener = { news: ({ runs }) => this.list.show(runs), trouble: (text) => this.tell(text) };
    this.watch(new Poll(() => api.runs(), POLL_MS, listener));
  }

  async showRun(id, isHere) {
    const view = await this.viewOf(id, isHere);
    if (!isHere()) return;
    document.title = `${view.run.name} · plywise studio`;
    this.put(view.box);
    view.draw();
    this.watch(new Live(id, { news: (run) => view.show(run), trouble: (text) => this.tell(text) }));
  }

  async showTogether(names, isHere) {
    document.title = "Runs together · plywise studio";
    this.wait("Opening the runs …");
    const look = () => Promise.all(names.map((name) => api.run(name)));
    const runs = await look();
    if (!isHere()) return;
    this.together = new RunsTogether(names);
    this.together.show(runs);
    this.put(this.together.box);
    this.together.draw();
    const listener = { news: (news) => this.together?.show(news), trouble: (text) => this.tell(text) };
    if (runs.some(({ state }) => state === "running")) this.watch(new Poll(look, POLL_MS, listener));
  }

  async showStart(filled, isHere) {
    document.title = "Start a run · plywise studio";
    const about = await api.jobs();
    if (isHere()) this.put(new RunStart(about, filled).box);
  }

  async showGame(id, number, ply, isHere) {
    this.wait("Opening the game …");
    const [view, game] = await Promise.all([this.viewOf(id, isHere), api.runGame(id, number)]);
    if (!isHere()) return;
    document.title = `Game ${number} · ${view.run.name} · plywise studio`;
    this.replay = new Replay(view.run, game);
    this.put(this.replay.box);
    await this.replay.go(ply ?? 0);
  }

  // A run that was shown last is kept with what is open, sorted and chosen in it.
  async viewOf(id, isHere) {
    if (this.view?.id === id) return this.view;
    this.wait("Opening the run …");
    const run = await api.run(id);
    if (!isHere()) return null;
    this.view?.close();
    this.view = new RunView(id);
    this.view.show(run);
    return this.view;
  }

  // ---- the frame

  leave() {
    this.watcher?.stop();
    this.watcher = null;
    this.replay = null;
    this.together = null;
    this.tell(null);
  }

  watch(watcher) {
    this.watcher = watcher;
    watcher.start();
  }

  wait(text) {
    if (this.content.querySelector(".loading")) return;
    this.shown = null;
    this.content.replaceChildren(element("p", { class: "loading", text }));
  }

  put(box) {
    if (this.shown === box) return;
    this.shown = null;
    this.content.replaceChildren(box);
    this.content.scrollTop = this.scrolled.get(box) ?? 0;
    this.shown = box;
  }

  // Says what is wrong over the page, which stays as it is.
  tell(text) {
    if (this.trouble.textContent !== (text ?? "")) this.trouble.textContent = text ?? "";
  }
}
