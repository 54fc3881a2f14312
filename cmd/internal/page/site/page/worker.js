// pakbox in a worker: loads the program, passes it the questions of the page, and reads
// the dropped files piece by piece on request.
/* global begin, pakbox */

importScripts("start.js");

// SQLite is fetched when the first index is opened.
self.pakboxSQLite = () => import("./database.js").then(({ load }) => load());

const started = new Promise((resolve) => { self.pakboxReady = resolve; });

async function start() {
  await begin("pakbox.wasm.br", (progress) => postMessage({ progress }));
  await started;
}

const ready = start();
ready.then(() => postMessage({ ready: true }), (error) => postMessage({ ready: false, error: String(error.message || error) }));

self.addEventListener("message", async ({ data }) => {
  await ready;
  if (data.cancel !== undefined) {
    pakbox.cancel(data.cancel);
  } else if (data.drop) {
    const reader = new FileReaderSync(), { name, file } = data.drop;
    const read = (from, to) => {
      try {
        return new Uint8Array(reader.readAsArrayBuffer(file.slice(from, to)));
      } catch {
        return null; // it was moved or removed
      }
    };
    postMessage({ id: data.id, ...pakbox.drop(name, file.size, read) });
  } else {
    pakbox.ask(data.id, data.post, data.address, data.range, data.body, (status, type, size, body) => {
      postMessage({ id: data.id, status, type, length: size, body: body?.buffer ?? new ArrayBuffer(0) }, body ? [body.buffer] : []);
    });
  }
});
