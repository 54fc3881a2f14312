// The parts of Node that pakbox/lite needs.
import { webcrypto } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { use } from "./lite.js";

globalThis.crypto ??= webcrypto; // Node 18 has none

// program starts the program with what it imports.
async function program(imports) {
  const packed = await readFile(new URL("./wasm/lite.wasm.br", import.meta.url));
  return (await WebAssembly.instantiate(await promisify(brotliDecompress)(packed), imports)).instance;
}

async function bytesOf(source) {
  if (typeof source === "string") return new Uint8Array(await readFile(source));
  return source instanceof Blob ? new Uint8Array(await source.arrayBuffer()) : source;
}

use({ program, bytesOf });

export { Map, open, PakboxError } from "./lite.js";
