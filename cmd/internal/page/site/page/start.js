// Programs of the site for workers. They are fetched compressed, independently of the
// server's settings, and unpacked here.
/* global Go */

importScripts("wasm_exec.js");

// begin fetches and runs a program. It resolves when the program runs. It calls progress
// with the fetched share, from 0 to 1, or with null if the server sends no length.
self.begin = async (name, progress) => {
  const go = new Go();
  const [response, unpack] = await Promise.all([fetch(name), import("./unpack.js").then(({ unpacker }) => unpacker())]);
  if (!response.ok) throw new Error(name + ": " + response.status);
  const total = Number(response.headers.get("Content-Length")) || 0;
  let seen = 0;
  const watched = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      seen += chunk.length;
      progress?.(total ? seen / total : null);
      controller.enqueue(chunk);
    },
  }));
  const wasm = new Response(watched.pipeThrough(unpack), { headers: { "Content-Type": "application/wasm" } });
  const { instance } = await WebAssembly.instantiateStreaming(wasm, go.importObject);
  go.run(instance);
};
