// pakbox in a page: WebAssembly in a worker. No file leaves the page.
import { PakboxError, use } from "./core.js";

let worker = null;
let last = 0;
const waiting = new globalThis.Map();

function start() {
  if (worker) return worker;
  worker = new Worker(new URL("./wasm/worker.js", import.meta.url));
  worker.addEventListener("message", ({ data }) => {
    if (data.ready === false) end(data.error);
    if (data.id === undefined) return;
    waiting.get(data.id)?.resolve(data);
    waiting.delete(data.id);
  });
  worker.addEventListener("error", (event) => end(event.message || "pakbox could not be started"));
  return worker;
}

function end(message) {
  worker?.terminate();
  worker = null;
  for (const [, { reject }] of waiting) reject(new PakboxError({ kind: "ended", message }));
  waiting.clear();
}

function post(message) {
  const w = start();
  return new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    w.postMessage({ id: last, ...message });
  });
}

// get asks for an address and resolves to its bytes and their type.
async function get(name, path, params = {}) {
  const query = new URLSearchParams({ path });
  for (const [key, value] of Object.entries(params)) for (const one of [value].flat()) query.append(key, one);
  const { status, type, body } = await post({ post: false, address: name + "?" + query, range: null, body: null });
  const data = new Uint8Array(body);
  if (status === 200) return { type, data };
  let error = { kind: "refused", message: name + ": status " + status };
  try {
    error = JSON.parse(new TextDecoder().decode(data)).error;
  } catch {
    /* no JSON */
  }
  throw new PakboxError({ file: path, ...error });
}

use({
  async ask(name, path, params) {
    const { type, data } = await get(name, path, params);
    return type.startsWith("application/json") ? JSON.parse(new TextDecoder().decode(data)) : data;
  },
  async change(name, path, params) {
    const { status, body } = await post({
      post: true,
      address: name + "?" + new URLSearchParams({ path }),
      range: null,
      body: JSON.stringify(params),
    });
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(body)));
    if (status !== 200) throw new PakboxError({ file: path, ...answer.error });
    return answer;
  },
  async path(source) {
    if (typeof source === "string") return source;
    const file = source instanceof Blob ? source : new Blob([source]);
    const { path, error } = await post({ drop: { name: ++last + "/" + (source.name || "file"), file } });
    if (error) throw new PakboxError({ kind: "refused", message: error });
    return path;
  },
  read: async (path) => (await get("content", path)).data,
  async close() {
    end("closed");
  },
});

/** Commands are for Node. */
export async function run() {
  throw new PakboxError({ kind: "usage", message: "a page runs no commands" });
}

export * from "./core.js";
