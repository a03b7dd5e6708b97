// The head of a file, and its iterations.

import { byId, element } from "./dom.js";
import { bytes, count, plies, shortCount, value, window as windowOf } from "./format.js";
import { nodeAddress } from "./route.js";
import { threadOf } from "./tree-file.js";

export function showHead(file) {
  const { head } = file;
  const facts = [
    ["Game", head.title || head.game],
    ["Profile", head.profile],
    ["Changed", head.settings?.changed?.join(", ")],
    ["Limits", head.settings?.limits],
    ["Threads", head.threads > 1 ? count(head.threads) : null],
    ["Hash", head.settings?.hash],
    ["Kept", head.filter],
    ["Nodes", count(head.nodes)],
    ["Size", bytes(head.bytes)],
    ["Position", head.position],
  ];
  const told = facts.filter(([, what]) => what !== null && what !== undefined && what !== "");
  byId("facts").replaceChildren(...told.map(([name, what]) => fact(name, what)));
  byId("notice").hidden = !head.notice;
  byId("notice").textContent = head.notice ?? "";
  byId("about").replaceChildren(
    element("h2", { id: "about-title", text: file.name }),
    ...(head.notice ? [element("p", { class: "notice", text: head.notice })] : []),
    element(
      "dl",
      { class: "about-facts" },
      told
        .concat([
          ["Recorded by", head.build],
          ["Iterations", count(head.roots.length)],
        ])
        .map(([name, what]) => fact(name, what)),
    ),
    element("form", { method: "dialog" }, element("button", { class: "button strong", text: "Close" })),
  );
}

function fact(name, what) {
  return element(
    "div",
    { data: { fact: name.toLowerCase() } },
    element("dt", { text: name }),
    element("dd", { text: String(what ?? "–"), title: String(what ?? "") }),
  );
}

// The root to begin with: the last that was searched to its end, in the first thread.
export function bestRoot(roots) {
  const finished = roots.filter((root) => root.value !== null && root.end !== "stopped" && threadOf(root.id) === 0);
  return finished.at(-1) ?? roots.at(-1) ?? null;
}

// Shows the iterations of a thread as tabs. A root that searches the depth of the one before once more is marked.
export function showIterations(file, selected) {
  const { roots } = file.head;
  const thread = selected ? threadOf(selected) : 0;
  const threads = [...new Set(roots.map((root) => threadOf(root.id)))].sort((one, other) => one - other);
  const box = byId("iterations");
  const tabs = [];
  if (threads.length > 1) tabs.push(threadChoice(file, roots, threads, thread));
  let before = null;
  for (const root of roots.filter((root) => threadOf(root.id) === thread)) {
    tabs.push(iteration(file, root, root.id === selected, before?.depth === root.depth));
    before = root;
  }
  if (!roots.length) tabs.push(element("p", { class: "quiet-text", text: "No iteration was recorded." }));
  box.replaceChildren(...tabs);
  const current = box.querySelector("[aria-current]");
  if (current) box.scrollLeft = current.offsetLeft - box.clientWidth / 2 + current.clientWidth / 2;
}

function iteration(file, root, isCurrent, isAgain) {
  const what = `Depth ${plies(root.depth)}, value ${value(root)}, ${count(root.subtree)} nodes, window ${windowOf(root)}`;
  return element(
    "a",
    {
      class: "iteration",
      href: nodeAddress(file.id, root.id),
      "aria-current": isCurrent && "true",
      "aria-label": isAgain ? `${what}, searched again` : what,
      title: isAgain ? `${what}. Searched again: the value lay outside the window before.` : what,
      data: { root: root.id, again: isAgain },
    },
    element(
      "span",
      { class: "iteration-depth" },
      isAgain ? element("span", { class: "again", text: "↻" }) : null,
      plies(root.depth),
    ),
    element("span", { class: "iteration-value", text: value(root) }),
    element("span", { class: "iteration-nodes", text: shortCount(root.subtree) }),
  );
}

function threadChoice(file, roots, threads, thread) {
  const choose = (event) => {
    const root = bestRoot(roots.filter((root) => threadOf(root.id) === Number(event.target.value)));
    if (root) location.hash = nodeAddress(file.id, root.id);
  };
  const options = threads.map((each) =>
    element("option", { value: each, selected: each === thread, text: `Thread ${each + 1}` }),
  );
  return element("select", { class: "small", "aria-label": "Thread", onchange: choose }, options);
}
