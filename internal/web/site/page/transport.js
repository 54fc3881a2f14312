// transport carries a question to pakbox and its answer back: here to a worker
// of this page, in which pakbox runs. Nothing is sent anywhere.

const worker = new Worker("worker.js");
const waiting = new Map(); // id -> {resolve, reject}
let last = 0;

const ready = new Promise((resolve, reject) => {
  worker.addEventListener("message", ({ data }) => {
    if (data.progress !== undefined) showProgress(data.progress);
    else if (data.ready !== undefined) { showProgress(1); data.ready ? resolve() : reject(new Error(data.error)); }
    else { waiting.get(data.id)?.resolve(data); waiting.delete(data.id); }
  });
  worker.addEventListener("error", (event) => reject(new Error(event.message || "pakbox could not be started")));
});

// showProgress tells how much of the program is there, while nothing else is.
function showProgress(part) {
  if (part === 1) navigator.serviceWorker?.register("offline.js").catch(() => {}); // without it the site needs a network
  const status = document.getElementById("status");
  if (status) status.textContent = part === 1 ? "" : part === null ? "fetching pakbox" : `fetching pakbox: ${Math.round(part * 100)} %`;
}

function post(message, signal) {
  const id = ++last;
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

// send asks for an address below api/. It resolves to {status, type, length,
// body}, with body an ArrayBuffer.
export async function send(method, address, { body, headers, signal } = {}) {
  await restored;
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers?.Range || "");
  const answer = await post({
    post: method === "POST", address, range: range ? [Number(range[1]), Number(range[2]) + 1] : null,
    body: body === undefined ? null : new TextEncoder().encode(body),
  }, signal);
  if (method === "POST" && answer.status < 400) await keepChange(address);
  return answer;
}

// keepChange remembers a dropped file as it is after a change, so that a reload shows
// the change too.
async function keepChange(address) {
  const [question, query] = address.split("?");
  const path = new URLSearchParams(query).get("path") || "", name = path.replace(/^dropped\//, "");
  if (name === path || question === "unlock") return;
  if (question === "remove") return forget(name);
  const now = await post({ post: false, address: "content?path=" + encodeURIComponent(path), range: null, body: null });
  if (now.status < 400) await keep(name, new File([now.body], name.split("/").at(-1)));
}

// forget lets go of a dropped file, or of those of a folder.
async function forget(name) {
  try {
    const store = (await database()).transaction("dropped", "readwrite").objectStore("dropped");
    for (const key of await done(store.getAllKeys())) if (key === name || key.startsWith(name + "/")) await done(store.delete(key));
  } catch { /* nothing is kept */ }
}

// drop hands files over: [{name, file}]. They stay where they are.
export async function drop(files, progress) {
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

// gone would tell that no server answers, and there is none.
export function gone() {}

// direct is the address of content that a link can lead to; there is none here.
export function direct() { return null; }

// watch would tell of changes on disk, which no page sees.
export function watch() { return () => {}; }

// What was dropped is remembered until the tab is closed, so that a reload shows
// the same; files that are too large for that are dropped again.
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

// session is the same as long as the tab is open.
function session() {
  let id = sessionStorage.getItem("pakbox");
  if (!id) sessionStorage.setItem("pakbox", id = crypto.randomUUID());
  return id;
}

async function restore() {
  await ready;
  try {
    const db = await database();
    const names = await done(db.transaction("dropped").objectStore("dropped").getAllKeys());
    const kept = await done(db.transaction("dropped").objectStore("dropped").getAll());
    for (const [i, entry] of kept.entries()) {
      if (entry.session === session()) await take(names[i], entry.file);
      else await done(db.transaction("dropped", "readwrite").objectStore("dropped").delete(names[i]));
    }
  } catch { /* nothing is kept, or nothing may be */ }
}

const restored = restore();
