// The parts of a browser that pakbox/lite needs.
import { unpacker } from "./wasm/unpack.js";
import { use } from "./lite.js";

// program starts the program with what it imports.
async function program(imports) {
  const [response, unpack] = await Promise.all([fetch(new URL("./wasm/lite.wasm.br", import.meta.url)), unpacker()]);
  if (!response.ok) throw new Error("lite.wasm.br: " + response.status);
  const wasm = new Response(response.body.pipeThrough(unpack), { headers: { "Content-Type": "application/wasm" } });
  return (await WebAssembly.instantiateStreaming(wasm, imports)).instance;
}

async function bytesOf(source) {
  return source instanceof Blob ? new Uint8Array(await source.arrayBuffer()) : source;
}

use({ program, bytesOf });

export { Map, open, PakboxError } from "./lite.js";
