// pakbox in a worker: it loads the program, hands it the questions of the page,
// and reads the files that somebody dropped, a piece at a time, when it is asked
// to.
/* global Go, pakbox */

importScripts("wasm_exec.js");

const go = new Go();
const started = new Promise((resolve) => { self.pakboxReady = resolve; });

async function get(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(name + ": " + response.status);
  return response;
}

async function start() {
  // The program is fetched compressed whatever the server does, and unpacked here.
  const [response, unpack] = await Promise.all([get("pakbox.wasm.br"), import("./unpack.js").then(({ unpacker }) => unpacker())]);
  const total = Number(response.headers.get("Content-Length")) || 0;
  let seen = 0;
  const watched = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      seen += chunk.length;
      postMessage({ progress: total ? seen / total : null });
      controller.enqueue(chunk);
    },
  }));
  const wasm = new Response(watched.pipeThrough(unpack), { headers: { "Content-Type": "application/wasm" } });
  const { instance } = await WebAssembly.instantiateStreaming(wasm, go.importObject);
  go.run(instance);
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
