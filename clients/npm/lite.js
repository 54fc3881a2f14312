// The facts and the thumbnail of a map, and nothing else: a page that wants only
// these loads a third of what pakbox is. It runs where it is called, in Node too,
// without the native command.
import { PakboxError } from "./error.js";

let platform;

/** Sets what differs between Node and browsers: program and bytesOf. */
export function use(p) {
  platform = p;
}

/** A map. Its facts are properties. */
export class Map {
  #thumbnail;

  constructor({ facts, partial, thumbnail }) {
    Object.assign(this, facts);
    Object.defineProperty(this, "facts", { value: facts });
    /** Whether a part of the map could not be read; facts from there are missing. */
    this.partial = partial;
    this.#thumbnail = thumbnail;
  }

  /** The picture of the map, an upright JPEG. */
  async thumbnail() {
    return checked(this.#thumbnail()).data;
  }
}

function checked(answer) {
  if (answer.error) throw new PakboxError(answer.error);
  return answer;
}

let started;

async function start() {
  await import("./wasm/wasm_exec.js");
  const go = new globalThis.Go();
  go.run(await platform.program(go.importObject));
}

/** Opens a map: a Uint8Array, an ArrayBuffer, a Blob, a File, or a path in Node. */
export async function open(source) {
  if (source instanceof ArrayBuffer) source = new Uint8Array(source);
  const data = await platform.bytesOf(source);
  await (started ??= start());
  return new Map(checked(globalThis.pakboxLite(data)));
}

export { PakboxError };
