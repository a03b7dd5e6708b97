// All that the server is asked.

const RESTARTED = "The studio was restarted: open the new address that it printed.";

// What the server said no to, or that it did not answer.
export class ApiError extends Error {
  constructor(message, status, at = null) {
    super(message);
    this.status = status;
    // The character of a question at which it was not understood.
    this.at = at;
  }
}

async function ask(path, parameters, options) {
  const query = new URLSearchParams(parameters).toString();
  let response;
  try {
    response = await fetch(query ? `${path}?${query}` : path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The studio does not answer. Is it still running?", 0);
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    throw new ApiError(
      body?.error ?? (response.status === 403 ? RESTARTED : `The studio answered with status ${response.status}.`),
      response.status,
      body?.at ?? null,
    );
  }
  if (body === null) throw new ApiError("The studio's answer was cut off.", response.status);
  return body;
}

function get(path, parameters = {}, signal = undefined) {
  return ask(path, parameters, { signal });
}

// What changes something. The header is what other sites cannot send.
function post(path, parameters, { signal, body } = {}) {
  return ask(path, parameters, { method: "POST", headers: { "X-Plywise": "1" }, signal, body });
}

const part = encodeURIComponent;

// What is to be searched, as the address has it. `set` may come several times.
function pairs({ set = [], ...rest }) {
  return [...Object.entries(rest).filter(([, value]) => value !== null), ...set.map((each) => ["set", each])];
}

// The address of a search that an EventSource listens to; `what` is "analyse" or "annotate".
export function workAddress(what, task) {
  return `api/${what}?${new URLSearchParams(pairs(task))}`;
}

// The address of a recorded tree as a file.
export function savedAddress(file) {
  return `api/tree/${part(file)}/save`;
}

// The address at which an EventSource hears how a run goes on.
export function liveAddress(run) {
  return `api/runs/${part(run)}/live`;
}

// The address of all games of a run as a file.
export function pgnAddress(run) {
  return `api/runs/${part(run)}/pgn`;
}

export const api = {
  files: () => get("api/files"),
  fields: () => get("api/fields"),
  tree: (file) => get(`api/tree/${part(file)}`),
  children: (file, id, from, many) => get(`api/tree/${part(file)}/children/${part(id)}`, { from, count: many }),
  node: (file, id, turned = false) => get(`api/tree/${part(file)}/node/${part(id)}`, turned ? { turned: 1 } : {}),
  query: (file, q, { first, sort, key }, signal) => get(`api/tree/${part(file)}/query`, { q, first, sort, key }, signal),
  costs: (file, key, signal) => get(`api/tree/${part(file)}/moves`, { key }, signal),
  asked: (key) => get(`api/asked/${key}`),
  jump: (file, what, from, technique) =>
    get(`api/tree/${part(file)}/jump`, technique ? { what, from, technique } : { what, from }),
  games: () => get("api/games"),
  params: (game, profile) => get("api/params", { game, profile }),
  board: (game, position, moves, turned = false) =>
    get("api/board", { game, position, moves: moves.join(","), ...(turned && { turned: 1 }) }),
  record: (task, signal) => post("api/record", pairs(task), { signal }),
  readGame: (game, text) => post("api/game", { game }, { body: text }),
  diff: (a, b, key, signal) => get("api/diff", { a, b, key }, signal),
  runs: () => get("api/runs"),
  run: (run) => get(`api/runs/${part(run)}`),
  runGames: (run, from, many) => get(`api/runs/${part(run)}/games`, { from, count: many }),
  jobs: () => get("api/jobs"),
  start: (job, filled) => post(`api/jobs/${part(job)}`, filled),
  stopRun: (run) => post(`api/runs/${part(run)}/stop`, {}),
  goOnWithRun: (run) => post(`api/runs/${part(run)}/go-on`, {}),
  runGame: (run, number) => get(`api/runs/${part(run)}/games/${part(number)}`),
};
