// transport sends a question to pakbox and returns the answer. Here pakbox runs in a worker
// of this page, and nothing leaves the computer.

import { inHeader } from "./header.js";

const waiting = new Map(); // id -> {resolve, reject}
let last = 0;

// The readers of maps are fetched first: they show a map while the complete program, four
// times as large, is still being fetched.
const glancer = new Worker("glance.js");
const glancing = new Promise((resolve) => {
  glancer.addEventListener("message", ({ data }) => {
    if (data.ready !== undefined) resolve();
    else if (data.glance && !running) showGlance({ ...data.glance, drawn: glanced });
    else glanced();
  });
  glancer.addEventListener("error", resolve);
});

let glanced = () => {}; // called when the map of the last glance is drawn
let running = false; // the program answers
let need; // called when something needs the program
const needed = new Promise((resolve) => { need = resolve; });
glancing.then(() => setTimeout(need, 3000)); // or 3 seconds after the first map is drawn

const program = Promise.all([glancing, needed]).then(() => {
  const worker = new Worker("worker.js");
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => {
      if (data.progress !== undefined) showProgress(data.progress);
      else if (data.ready === false) reject(new Error(data.error));
      else if (data.ready) { running = true; showProgress(1); resolve(worker); }
      else { waiting.get(data.id)?.resolve(data); waiting.delete(data.id); }
    });
    worker.addEventListener("error", (event) => reject(new Error(event.message || "pakbox could not be started")));
  });
});

// showProgress shows how much of the program is fetched, while the page shows nothing else.
function showProgress(part) {
  if (part === 1) navigator.serviceWorker?.register("offline.js").catch(() => {}); // without it the site needs a network
  const status = document.getElementById("status");
  if (status) status.textContent = part === 1 ? "" : part === null ? "fetching pakbox" : `fetching pakbox: ${Math.round(part * 100)} %`;
}

function showGlance(detail) { dispatchEvent(new CustomEvent("pakbox-glance", { detail })); }

// glance shows a map before the program runs: the values in its header at once, and all
// its facts when the readers are fetched. It resolves when those are drawn, so that nothing
// else is fetched before.
async function glance(path, file) {
  if (running || !/\.(map|challenge)\.gbx$/i.test(path) || file.size > mostGlanced) return;
  const header = await inHeader(file).catch(() => null);
  if (header && !running) showGlance({ ...header, path, drawn: () => {} });
  glancer.postMessage({ path, file });
  await new Promise((resolve) => { glanced = resolve; });
}

const mostGlanced = 16 << 20; // bytes

async function post(message, signal) {
  need();
  const worker = await program, id = ++last;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) { reject(new DOMException("", "AbortError")); return; }
    waiting.set(id, { resolve, reject });
    signal?.addEventListener("abort", () => {
      if (!waiting.delete(id)) return;
      worker.postMessage({ cancel: id });
      reject(new DOMException("", "AbortError"));
    });
    worker.postMessage({ id, ...message });
  });
}

// send requests an address below api/. It resolves to {status, type, length,
// body}, with body an ArrayBuffer.
export async function send(method, address, { body, headers, signal } = {}) {
  if (address === "home" && !running && !await kept) return firstHome();
  await restored;
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers?.Range || "");
  const answer = await post({
    post: method === "POST", address, range: range ? [Number(range[1]), Number(range[2]) + 1] : null,
    body: body === undefined ? null : new TextEncoder().encode(body),
  }, signal);
  if (method === "POST" && answer.status < 400) await keepChange(address);
  return answer;
}

// firstHome is the content of the home screen before a file is opened. It needs no program.
async function firstHome() {
  const response = await fetch("home.json");
  return { status: response.status, type: "application/json", length: -1, body: await response.arrayBuffer() };
}

// keepChange stores the changed bytes of a dropped file, so that a reload shows
// the change too.
async function keepChange(address) {
  const [question, query] = address.split("?");
  const path = new URLSearchParams(query).get("path") || "", name = path.replace(/^dropped\//, "");
  if (name === path || question === "unlock") return;
  if (question === "remove") return forget(name);
  const now = await post({ post: false, address: "content?path=" + encodeURIComponent(path), range: null, body: null });
  if (now.status < 400) await keep(name, new File([now.body], name.split("/").at(-1)));
}

// forget removes a dropped file, or the files of a dropped folder.
async function forget(name) {
  try {
    const store = (await database()).transaction("dropped", "readwrite").objectStore("dropped");
    for (const key of await done(store.getAllKeys())) if (key === name || key.startsWith(name + "/")) await done(store.delete(key));
  } catch { /* nothing is kept */ }
}

// drop opens files: [{name, file}]. Their content stays on disk.
export async function drop(files, progress) {
  if (files.length === 1) await glance("dropped/" + files[0].name, files[0].file);
  await restored;
  const paths = [];
  for (const [i, { name, file }] of files.entries()) {
    progress?.(i, files.length, name);
    paths.push(await take(name, file));
    await keep(name, file);
  }
  return paths;
}

async function take(name, file) {
  const answer = await post({ drop: { name, file } });
  if (answer.error) throw new Error(answer.error);
  return answer.path;
}

// gone reports a lost server elsewhere; this page has no server.
export function gone() {}

// direct is the address of content for a link; content has no address here.
export function direct() { return null; }

// watch reports changes on disk elsewhere; a page cannot see them.
export function watch() { return () => {}; }

// Dropped files are stored until the tab is closed, so that a reload shows them again.
// The user must drop files again that are too large to store.
const most = 64 << 20;

function database() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("pakbox", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("dropped");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function keep(name, file) {
  if (file.size > most) return;
  try {
    const store = (await database()).transaction("dropped", "readwrite").objectStore("dropped");
    await done(store.put({ session: session(), file }, name));
  } catch { /* private windows keep nothing */ }
}

// session is an ID that stays the same until the tab is closed.
function session() {
  let id = sessionStorage.getItem("pakbox");
  if (!id) sessionStorage.setItem("pakbox", id = crypto.randomUUID());
  return id;
}

// keptFiles are the files that were dropped in this tab before a reload: [name, file].
async function keptFiles() {
  const mine = [];
  try {
    const db = await database();
    const names = await done(db.transaction("dropped").objectStore("dropped").getAllKeys());
    const entries = await done(db.transaction("dropped").objectStore("dropped").getAll());
    for (const [i, entry] of entries.entries()) {
      if (entry.session === session()) mine.push([names[i], entry.file]);
      else await done(db.transaction("dropped", "readwrite").objectStore("dropped").delete(names[i]));
    }
  } catch { /* nothing is kept, or nothing may be */ }
  return mine;
}

const keptOnes = keptFiles(), kept = keptOnes.then((list) => list.length > 0);

async function restore() {
  const list = await keptOnes, asked = decodeURIComponent(location.hash.slice(2).split("?")[0]);
  for (const [name, file] of list) if (asked === "dropped/" + name) await glance(asked, file);
  for (const [name, file] of list) {
    try { await take(name, file); } catch { /* it is gone */ }
  }
}

const restored = restore();
