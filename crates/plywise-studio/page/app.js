// Puts the parts together: the address says what is shown, and whatever is selected becomes the address.

import { AnalysePage } from "./analyse.js";
import { api } from "./api.js";
import { ComparePage } from "./compare.js";
import { Vocabulary } from "./completion.js";
import { Costs } from "./costs.js";
import { byId, element, KINDS, openDialog, say } from "./dom.js";
import { moveName, words } from "./format.js";
import { bestRoot, showHead, showIterations } from "./head.js";
import { HomePage } from "./home.js";
import { Icicle } from "./icicle.js";
import { listen } from "./keys.js";
import { watchLook } from "./look.js";
import { NodeView } from "./node-view.js";
import { Outline } from "./outline.js";
import { PlayPage } from "./play.js";
import { QueryBox } from "./query.js";
import { compareAddress, fileAddress, nodeAddress, parseRoute } from "./route.js";
import { RunsPage } from "./runs.js";
import { read, write } from "./storage.js";
import { edge } from "./split.js";
import { threadOf, TreeFile } from "./tree-file.js";
import { Walk } from "./walk.js";

const TECHNIQUE = "plywise.technique";
// A key that is held down passes many nodes; only the one where it rests is fetched.
const REST_MS = 60;

const SKIPS = {
  "tree-page": "Go to the tree",
  "analyse-page": "Go to the board",
  "play-page": "Go to the board",
  "runs-page": "Go to the runs",
};

const state = {
  files: [],
  open: new Map(),
  file: null,
  root: null,
  node: null,
  detail: null,
  turn: 0,
};

const outline = new Outline(byId("outline"), { onSelect: selectRow, onError: (error) => say(error.message, true) });
const nodeView = new NodeView(byId("node"));
const icicle = new Icicle(byId("icicle"), byId("effort-crumbs"), byId("effort-status"), {
  onSelect: (node) => go(node.id),
  onLegend: showLegend,
});
const costs = new Costs(byId("costs"), {
  onAsk: (question) => {
    showPane("tree");
    queryBox.ask(question);
  },
});
const queryBox = new QueryBox({
  onHits: (ids) => {
    outline.mark("hits", ids);
    icicle.mark(ids);
  },
});
const walk = new Walk(byId("walk"), { onGo: (id) => go(id) });
const comparePage = new ComparePage(byId("compare-page"));
const analysePage = new AnalysePage(byId("analyse-page"), { onRecorded: openRecorded });
const homePage = new HomePage(byId("home-page"), { onRecorded: openRecorded });
const playPage = new PlayPage(byId("play-page"));
const runsPage = new RunsPage(byId("runs-page"));

// ---- what is shown

async function start() {
  try {
    const [{ files }, fields] = await Promise.all([api.files(), api.fields()]);
    state.files = files;
    queryBox.vocabulary = new Vocabulary(fields);
    showTechniques(fields.techniques ?? []);
  } catch (error) {
    showMessage("The studio cannot be reached.", error.message, start);
    return;
  }
  addEventListener("hashchange", follow);
  await follow();
}

// Shows what the address names.
async function follow() {
  const route = parseRoute(location.hash);
  const turn = (state.turn += 1);
  try {
    if (route.page === "first") await startPage(turn);
    else if (route.page === "tree") await showNode(route, turn);
    else if (route.page === "compare") await showComparison(route);
    else if (route.page === "analyse") await showGamePage("analyse-page", analysePage, route.line);
    else if (route.page === "play") await showGamePage("play-page", playPage, route.line);
    else if (route.page === "home") await showHome();
    else if (["runs", "together", "start"].includes(route.page)) await showRuns(route);
    else showMessage("There is no such page.", "The address names none of the studio's pages.");
  } catch (error) {
    if (turn === state.turn) showMessage("This cannot be shown.", error.message, follow);
  }
}

// The first file; where there is none, the runs, if there are any; or what can be done here.
async function startPage(turn) {
  if (state.files.length) {
    location.replace(fileAddress(state.files[0].id));
    return;
  }
  const { runs } = await api.runs().catch(() => ({ runs: [] }));
  if (turn === state.turn) location.replace(runs.length ? "#/runs" : "#/home");
}

async function showHome() {
  showPage("home-page");
  showFiles(null);
  await homePage.show(state.files);
}

async function showRuns(route) {
  showPage("runs-page");
  showFiles(null);
  await runsPage.show(route);
}

async function showGamePage(id, page, line) {
  showPage(id);
  showFiles(null);
  await page.show(line);
}

// A tree that was recorded just now is a file like any other. Whoever left the page meanwhile is only told.
async function openRecorded(id, isWaiting) {
  state.files = (await api.files()).files;
  if (isWaiting) location.hash = fileAddress(id);
  else {
    showFiles(byId("tree-page").hidden ? null : state.file?.id);
    say("The tree is recorded: it is among the open files.");
  }
}

async function showNode({ file: id, node }, turn) {
  if (node !== null && state.file?.id === id && state.node?.id === node && !byId("tree-page").hidden) return;
  const file = await openFile(id);
  if (turn !== state.turn) return;
  if (state.file !== file) changeFile(file);
  showPage("tree-page");
  showFiles(id);
  if (node === null) {
    const root = bestRoot(file.head.roots);
    if (root) history.replaceState(null, "", nodeAddress(id, root.id));
    if (root) await showNode({ file: id, node: root.id }, turn);
    else showMessage("This tree is empty.", "Its recording ended before the first iteration did.");
    return;
  }
  let detail;
  try {
    detail = await file.detail(node);
  } catch (error) {
    if (turn !== state.turn) return;
    // A wrong link to a good file still shows the file.
    const root = bestRoot(file.head.roots);
    if (!root || root.id === node) throw error;
    history.replaceState(null, "", nodeAddress(id, root.id));
    await showNode({ file: id, node: root.id }, turn);
    say(error.message, true);
    return;
  }
  if (turn !== state.turn) return;
  changeRoot(file, detail.line[0]);
  present(detail.node, "link");
  const isShown = await outline.reveal(file, detail.line);
  if (!isShown && turn === state.turn && state.node?.id === node)
    say("The node is not among the recorded children of the node above.", true);
}

async function openFile(id) {
  const known = state.open.get(id);
  if (known) return known;
  let listed = state.files.find((file) => file.id === id);
  if (!listed) {
    state.files = (await api.files()).files;
    listed = state.files.find((file) => file.id === id);
  }
  if (!listed) throw new Error(`No file called ${id} is open.`);
  const file = await TreeFile.open(listed);
  state.open.set(id, file);
  return file;
}

function changeFile(file) {
  Object.assign(state, { file, root: null, node: null, detail: null });
  outline.clear();
  queryBox.setFile(file);
  showHead(file);
  showIterations(file, null);
  showEffort();
}

// Another iteration: its tab, its picture, its principal variation.
function changeRoot(file, root) {
  if (state.root?.id === root.id) return;
  state.root = root;
  showIterations(file, root.id);
  icicle.setRoot(file, root);
  outline.mark("pv", []);
  file.detail(root.id).then(
    ({ pv }) => state.root === root && outline.mark("pv", [root.id, ...(pv ?? [])]),
    () => {},
  );
}

function selectRow(node, by) {
  const address = nodeAddress(state.file.id, node.id);
  state.turn += 1;
  if (by !== "key" && location.hash !== address) history.pushState(null, "", address);
  present(node, by);
}

// Shows a node everywhere but in the outline.
function present(node, by) {
  state.node = node;
  state.detail = null;
  document.title = `${moveName(node)} · ${state.file.name} · plywise studio`;
  nodeView.expect(node);
  icicle.select(node.id);
  queryBox.select(node.id);
  walk.show(state.file, node);
  clearTimeout(present.timer);
  if (by !== "key") showDetail(node);
  else {
    present.timer = setTimeout(() => {
      history.replaceState(null, "", nodeAddress(state.file.id, node.id));
      showDetail(node);
    }, REST_MS);
  }
}

async function showDetail(node) {
  const { file, root } = state;
  try {
    const detail = await file.detail(node.id);
    if (state.node !== node) return;
    state.detail = detail;
    nodeView.show(file, detail, root);
  } catch (error) {
    if (state.node === node) nodeView.fail(error);
  }
}

async function showComparison({ a, b }) {
  if (![a, b].every((id) => state.files.some((file) => file.id === id))) state.files = (await api.files()).files;
  document.title = "Compare · plywise studio";
  showPage("compare-page");
  showFiles(null);
  byId("compare-link").setAttribute("aria-current", "page");
  await comparePage.show(state.files, a, b);
}

// ---- the frame

function showPage(id) {
  for (const page of document.querySelectorAll("main")) page.hidden = page.id !== id;
  for (const link of byId("pages").children) {
    if (link.dataset.page === id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (id !== "analyse-page") analysePage.hide();
  if (id !== "compare-page") comparePage.hide();
  if (id !== "runs-page") runsPage.hide();
  byId("skip").textContent = SKIPS[id] ?? "Go to the content";
}

function showFiles(current) {
  const links = state.files.map(({ id, name }) =>
    element("a", { href: fileAddress(id), "aria-current": id === current && "page", title: name, text: name }),
  );
  byId("files").replaceChildren(...links);
  byId("files").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const link = byId("compare-link");
  link.removeAttribute("aria-current");
  const one = current ?? state.files[0]?.id;
  const other = state.files.find(({ id }) => id !== one);
  link.toggleAttribute("aria-disabled", !other);
  link.title = other ? "Where two trees part" : "Open a second file to compare: plywise studio A.tree B.tree";
  if (other) link.href = compareAddress(one, other.id);
  else link.removeAttribute("href");
}

function showMessage(title, content, again = null) {
  const button =
    again && element("button", { class: "button strong", type: "button", text: "Try again", onclick: () => again() });
  byId("message").replaceChildren(element("h1", { text: title }), element("div", {}, content), button ?? "");
  showPage("message-page");
}

function showTechniques(techniques) {
  const chosen = read(TECHNIQUE) ?? "null_move";
  const choice = byId("technique");
  choice.replaceChildren(
    ...techniques.map((name) => element("option", { value: name, selected: name === chosen, text: words(name) })),
  );
  choice.addEventListener("change", () => write(TECHNIQUE, choice.value));
}

function showLegend(entries) {
  const mark = ({ kind, letter, at, isStriped }) =>
    kind
      ? element("span", { class: "kind", data: { kind }, text: letter, "aria-hidden": "true" })
      : element("span", { class: "swatch", data: { colour: (at % 6) + 1, striped: isStriped }, "aria-hidden": "true" });
  byId("legend").replaceChildren(...entries.map((entry) => element("li", {}, mark(entry), entry.name)));
}

// The effort by place or by move; the iteration tells of the one, the whole tree of the other.
function showEffort() {
  const isByMove = byId("effort-view").value === "move";
  for (const id of ["icicle", "effort-status", "effort-colour", "effort-crumbs", "legend"]) byId(id).hidden = isByMove;
  byId("costs").hidden = !isByMove;
  if (isByMove && state.file) costs.show(state.file);
}

function findMove(isGoing) {
  const text = byId("effort-find").value;
  costs.seek(text);
  const found = icicle.seek(text, isGoing);
  if (isGoing && !found) say("No move in the picture has this in its name.");
}

function showPane(pane) {
  byId("work").dataset.pane = pane;
  for (const button of byId("panes").children)
    button.setAttribute("aria-pressed", String(button.dataset.pane === pane));
}

// ---- jumps

function go(id) {
  if (id) location.hash = nodeAddress(state.file.id, id);
}

async function jump(what) {
  const { file, node } = state;
  if (!file || !node) return;
  try {
    const { id } = await api.jump(file.id, what, node.id, what === "cut_by" ? byId("technique").value : null);
    if (id === node.id) say("You are there already.");
    else go(id);
  } catch (error) {
    say(error.message, error.status !== 404);
  }
}

function goUp() {
  go(state.detail?.line.at(-2)?.id);
}

function goToIteration(by) {
  if (!state.root) return;
  const roots = state.file.head.roots.filter((root) => threadOf(root.id) === threadOf(state.root.id));
  const at = roots.findIndex((root) => root.id === state.root.id) + by;
  go(roots[at]?.id);
}

function goToHit(by) {
  const id = queryBox.step(by);
  if (id) go(id);
  else say("There are no hits: ask a question first.");
}

async function zoomToNode() {
  showPane("effort");
  if (state.detail) await icicle.zoomToLine(state.detail.line);
}

// ---- listeners

byId("work").append(
  edge(byId("work"), {
    name: "tree-wide",
    label: "Width of the tree",
    isUpright: true,
    least: 320,
    size: () => byId("outline").clientWidth,
    sign: 1,
  }),
  edge(byId("work"), {
    name: "effort-high",
    label: "Height of the effort",
    isUpright: false,
    least: 80,
    size: () => byId("icicle").clientHeight,
    sign: -1,
  }),
);
watchLook(() => {
  icicle.readColours();
  analysePage.plot();
  runsPage.draw();
});
byId("skip").addEventListener("click", () => {
  if (shownPage()) shownPage().board?.focus();
  else if (!byId("tree-page").hidden) outline.focus();
  else document.querySelector("main:not([hidden])").querySelector("a, button, select")?.focus();
});
byId("effort-view").addEventListener("change", showEffort);
byId("effort-colour").addEventListener("change", (event) => icicle.colourBy(event.target.value));
byId("effort-find").addEventListener("input", () => findMove(false));
byId("effort-find").addEventListener("keydown", (event) => event.key === "Enter" && findMove(true));
byId("about-button").addEventListener("click", () => openDialog(byId("about")));
byId("panes").addEventListener("click", (event) => event.target.dataset.pane && showPane(event.target.dataset.pane));
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}
for (const button of document.querySelectorAll("[data-jump]")) {
  button.addEventListener("click", () => jump(button.dataset.jump));
}
const treeKeys = {
  p: () => jump("pv"),
  l: () => jump("largest"),
  f: () => jump("fail_high"),
  t: () => jump("cut_by"),
  u: goUp,
  ".": () => walk.step(1),
  ",": () => walk.step(-1),
  n: () => goToHit(1),
  N: () => goToHit(-1),
  x: () => nodeView.turn(),
  z: () => zoomToNode().catch((error) => say(error.message, true)),
  "[": () => goToIteration(-1),
  "]": () => goToIteration(1),
  "/": () => {
    showPane("tree");
    byId("query-text").focus();
  },
  o: () => {
    showPane("tree");
    outline.focus();
  },
  e: () => {
    showPane("effort");
    byId("icicle").focus();
  },
};
const analyseKeys = {
  s: () => analysePage.toggle(),
  b: () => analysePage.takeBack(),
  ArrowLeft: () => analysePage.step(-1),
  ArrowRight: () => analysePage.step(1),
  Home: () => analysePage.line?.view && analysePage.goTo(analysePage.variations.root),
  End: () => analysePage.line?.view && analysePage.goTo(analysePage.variations.end),
  a: () => analysePage.annotate(),
  f: () => analysePage.turn(),
  x: () => analysePage.turn(),
  r: () => analysePage.recordTree(),
  o: () => analysePage.board?.focus(),
};
const playKeys = {
  g: () => playPage.begin?.click(),
  b: () => playPage.takeBack(),
  f: () => playPage.turn(),
  x: () => playPage.turn(),
  h: () => playPage.giveHint(),
  ArrowLeft: () => playPage.step(-1),
  ArrowRight: () => playPage.step(1),
  Home: () => playPage.see(0),
  End: () => playPage.see(Infinity),
  o: () => playPage.board?.focus(),
};

const replayKeys = (replay) => ({
  ArrowLeft: () => replay.step(-1),
  ArrowRight: () => replay.step(1),
  Home: () => replay.go(0),
  End: () => replay.go(Infinity),
  f: () => replay.turnBoard(),
  x: () => replay.turnBoard(),
  o: () => replay.board.focus(),
  "[": () => replay.goToGame(-1),
  "]": () => replay.goToGame(1),
  u: () => runsPage.goUp(),
});

// The page with a board that is shown, if one is.
function shownPage() {
  if (!byId("analyse-page").hidden) return analysePage;
  return byId("play-page").hidden ? null : playPage;
}

function keysOfPage() {
  if (!byId("tree-page").hidden) return treeKeys;
  if (!byId("runs-page").hidden) return runsPage.replay ? replayKeys(runsPage.replay) : { u: () => runsPage.goUp() };
  return { "analyse-page": analyseKeys, "play-page": playKeys }[shownPage()?.box.id] ?? {};
}

listen((key) => (key === "d" ? () => byId("look").click() : keysOfPage()[key]));
start();
