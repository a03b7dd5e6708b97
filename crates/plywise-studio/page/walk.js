// Steps through a search, event by event: a node is entered, its moves are tried, and it is left, for a reason.

import { element } from "./dom.js";
import { inPlies, moveName, plies, valueFor, window as windowOf, words } from "./format.js";
import { PAGE, threadOf } from "./tree-file.js";

export class Walk {
  // `onGo` gets the node of an event.
  constructor(box, { onGo }) {
    this.onGo = onGo;
    this.file = null;
    this.id = null;
    this.isLeaving = false;
    const step = (text, title, by) =>
      element("button", { class: "button small", type: "button", text, title, onclick: () => this.step(by) });
    this.told = element("p", { class: "walk-words", "aria-live": "polite" });
    box.append(
      step("← Event", "The event before (,)", -1),
      step("Event →", "The next event of the search (.)", 1),
      this.told,
    );
  }

  // Another node was chosen; where it was not by a step, it is being entered.
  show(file, node) {
    if (this.file !== file || this.id !== node.id) Object.assign(this, { file, id: node.id, isLeaving: false });
    this.tell();
  }

  async step(by) {
    if (!this.file || this.isStepping) return;
    this.isStepping = true;
    try {
      const event = await (by > 0 ? this.next() : this.before());
      if (event) {
        const isHere = event.id === this.id;
        Object.assign(this, event);
        if (isHere) await this.tell();
        else this.onGo(event.id);
      } else this.told.textContent = by > 0 ? "The search ends here." : "The search begins here.";
    } catch (error) {
      this.told.textContent = error.message;
    }
    this.isStepping = false;
  }

  async next() {
    const { node, line } = await this.file.detail(this.id);
    if (!this.isLeaving) {
      const first = node.has_children ? await this.child(node.id, 0) : null;
      return first ? { id: first.id, isLeaving: false } : { id: node.id, isLeaving: true };
    }
    const above = line.at(-2);
    if (!above) return this.iteration(1, false);
    const at = await this.file.indexOf(above.id, node.id);
    const sibling = await this.child(above.id, at + 1);
    return sibling ? { id: sibling.id, isLeaving: false } : { id: above.id, isLeaving: true };
  }

  async before() {
    const { node, line } = await this.file.detail(this.id);
    if (this.isLeaving) {
      const { total } = node.has_children ? await this.file.page(node.id, 0) : { total: 0 };
      const last = total ? await this.child(node.id, total - 1) : null;
      return last ? { id: last.id, isLeaving: true } : { id: node.id, isLeaving: false };
    }
    const above = line.at(-2);
    if (!above) return this.iteration(-1, true);
    const at = await this.file.indexOf(above.id, node.id);
    const sibling = at > 0 ? await this.child(above.id, at - 1) : null;
    return sibling ? { id: sibling.id, isLeaving: true } : { id: above.id, isLeaving: false };
  }

  // The root of the iteration before or after this one.
  iteration(by, isLeaving) {
    const roots = this.file.head.roots.filter(({ id }) => threadOf(id) === threadOf(this.id));
    const found = roots[roots.findIndex(({ id }) => id === this.id) + by];
    return found ? { id: found.id, isLeaving } : null;
  }

  async child(parent, at) {
    const { children } = await this.file.page(parent, Math.floor(at / PAGE));
    return children[at % PAGE] ?? null;
  }

  async tell() {
    const { file, id, isLeaving } = this;
    const detail = await file.detail(id).catch(() => null);
    if (!detail || file !== this.file || id !== this.id || isLeaving !== this.isLeaving) return;
    this.told.textContent = isLeaving ? left(detail) : entered(detail);
  }
}

function entered({ node, line }) {
  const above = line.at(-2);
  const window = `the window is ${windowOf(node)}${node.mover ? ` for ${node.mover}` : ""}`;
  if (!above) return `The iteration of depth ${plies(node.depth)} begins: ${window}.`;
  const who = above.mover ?? "The player";
  const depth = `${inPlies(node.depth)} left`;
  if (node.purpose === "move") {
    const price = node.price === 1 ? "" : `, searched at ${inPlies(node.price)}`;
    return `${who} tries ${moveName(node)}, move ${node.number}${price}: ${window}, ${depth}.`;
  }
  const again = ["step", "full_price", "open_window"].includes(node.purpose);
  const what = again ? `${who} searches ${moveName(node)} again (${words(node.purpose)})` : `${who} probes: ${words(node.purpose)}`;
  return `${what}: ${window}, ${depth}.`;
}

function left({ node, line, words: told }) {
  const above = line.at(-2);
  const value = node.value === null ? "" : ` Its value is ${valueFor(node)}.`;
  return `${moveName(node)} is left. ${told}${value}${above ? effect(node, above) : ""}`;
}

// What the value means for the node above.
function effect(node, above) {
  if (node.value === null || above.value !== -node.value) return "";
  return above.bound === "lower"
    ? ` For ${above.mover ?? "the other"} that reaches beta: ${moveName(above)} is cut.`
    : ` For ${above.mover ?? "the other"} it is the best move there.`;
}
