// One open file: its head, and those of its nodes that were looked at lately.

import { api } from "./api.js";
import { isTurned } from "./storage.js";

export const PAGE = 200;
const PAGES_KEPT = 600;
const NODES_KEPT = 300;

export class TreeFile {
  constructor(id, name) {
    this.id = id;
    this.name = name;
    this.head = null;
    this.pages = new Recent(PAGES_KEPT);
    this.details = new Recent(NODES_KEPT);
    this.asked = new Map();
  }

  static async open({ id, name }) {
    const file = new TreeFile(id, name);
    file.head = await api.tree(id);
    return file;
  }

  // A page of the children of a node if it is at hand: `{ total, children }`.
  pageAtHand(id, page) {
    return this.pages.get(`${id}/${page}`);
  }

  page(id, page) {
    const key = `${id}/${page}`;
    return this.once(this.pages, key, () => api.children(this.id, id, page * PAGE, PAGE));
  }

  // A node with its line, board and words; the board is seen from the side that was chosen.
  detail(id) {
    const turned = isTurned("tree");
    return this.once(this.details, `${id} ${turned}`, () => api.node(this.id, id, turned));
  }

  // Where a child stands among its siblings, or -1. Ids grow in the search's order, so halving finds it; where they
  // should not, all pages are looked through.
  async indexOf(parent, id) {
    const { total, children } = await this.page(parent, 0);
    const at = children.findIndex((child) => child.id === id);
    if (at >= 0 || total <= PAGE) return at;
    const pages = Math.ceil(total / PAGE);
    let [low, high] = [1, pages - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = (await this.page(parent, middle)).children;
      const at = found.findIndex((child) => child.id === id);
      if (at >= 0) return middle * PAGE + at;
      if (found.length === 0 || order(id) < order(found[0].id)) high = middle - 1;
      else low = middle + 1;
    }
    for (let page = 1; page < pages; page += 1) {
      const at = (await this.page(parent, page)).children.findIndex((child) => child.id === id);
      if (at >= 0) return page * PAGE + at;
    }
    return -1;
  }

  // Asks once, however many want to know.
  once(kept, key, ask) {
    const known = kept.get(key);
    if (known !== undefined) return Promise.resolve(known);
    let promise = this.asked.get(key);
    if (!promise) {
      promise = ask()
        .then((answer) => {
          kept.set(key, answer);
          return answer;
        })
        .finally(() => this.asked.delete(key));
      this.asked.set(key, promise);
    }
    return promise;
  }
}

// The number of a node in its thread.
function order(id) {
  return Number(id.slice(id.indexOf(":") + 1));
}

// The thread of a node, from 0.
export function threadOf(id) {
  const colon = id.indexOf(":");
  return colon < 0 ? 0 : Number(id.slice(0, colon));
}

// A map that forgets what was not used for long.
class Recent {
  constructor(size) {
    this.size = size;
    this.map = new Map();
  }

  get(key) {
    const value = this.map.get(key);
    if (value !== undefined) {
      this.map.delete(key);
      this.map.set(key, value);
    }
    return value;
  }

  set(key, value) {
    this.map.set(key, value);
    if (this.map.size > this.size) this.map.delete(this.map.keys().next().value);
  }
}
