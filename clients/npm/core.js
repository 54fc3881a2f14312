// The package for every environment. A transport carries questions to pakbox:
// node.js has one to the command, browser.js one to a worker.
import { PakboxError } from "./error.js";
import * as questions from "./questions.js";

let transport;

export function use(t) {
  transport = t;
}

// checkParams rejects parameters that are not an object, such as diff("b.Map.Gbx"): the letters
// of a text would be taken for names.
function checkParams(name, params) {
  if (params === null || typeof params !== "object" || Array.isArray(params) || ArrayBuffer.isView(params))
    throw new TypeError(`${name}: parameters are an object with their names, such as { other: "b.Map.Gbx" }`);
}

/** Asks a question about a file. Parameters that are undefined are left out. */
export async function ask(name, source, params = {}) {
  const given = await sendableParams(name, params);
  return transport.ask(name, source === null ? "" : await pathOf(source), given);
}

/** Changes a file, or with dry_run shows what would change. Resolves to what was changed. */
export async function change(name, source, params = {}) {
  return transport.change(name, await pathOf(source), await sendableParams(name, params));
}

// sendableParams leaves out parameters without a value, and makes files sendable.
async function sendableParams(name, params) {
  checkParams(name, params);
  const given = {};
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && value !== null) given[key] = await sendable(value);
  }
  return given;
}

// sendable turns bytes into the form in which a file is a parameter.
async function sendable(value) {
  if (Array.isArray(value)) return Promise.all(value.map(sendable));
  const bytes =
    value instanceof Blob
      ? new Uint8Array(await value.arrayBuffer())
      : value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : value;
  if (!(bytes instanceof Uint8Array)) return value;
  let text = "";
  for (let i = 0; i < bytes.length; i += 1 << 14) text += String.fromCharCode(...bytes.subarray(i, i + (1 << 14)));
  return { name: value.name || "file", data: btoa(text) };
}

// pathOf returns the path at which pakbox finds a file.
async function pathOf(source) {
  if (source instanceof ArrayBuffer) source = new Uint8Array(source);
  if (typeof source !== "string" && !ArrayBuffer.isView(source) && !(source instanceof Blob))
    throw new TypeError(
      `a file is a path, a Uint8Array, an ArrayBuffer, a Blob or a File, and not ${source === null ? "null" : typeof source}`,
    );
  return transport.path(source);
}

/** Asks the same question about many files, several at a time, in their order. */
export async function* each(name, sources, params = {}) {
  const sent = [];
  for await (const source of sources) {
    const answer = ask(name, source, params);
    answer.catch(() => {}); // it is thrown where it is awaited
    if (sent.push(answer) >= 64) yield await sent.shift();
  }
  for (const answer of sent) yield await answer;
}

/** A file, or something in an archive. Its facts are properties. */
export class File {
  constructor(path, facts) {
    Object.assign(this, facts);
    Object.defineProperty(this, "facts", { value: facts });
    this.path = path;
  }

  /** The bytes of a file in this archive, or of this file. */
  async read(entry = "") {
    return transport.read(entry ? this.path + "/" + entry : this.path);
  }
}

/** A map. */
export class Map extends File {}

/** A replay or a ghost. */
export class Replay extends File {}

/** A file of Simutrans objects, or a pakset. */
export class Simutrans extends File {}

questions.addTo({ File, Map, Replay, Simutrans });

const classes = { CGameCtnChallenge: Map, CGameCtnReplayRecord: Replay, CGameCtnGhost: Replay, simutrans: Simutrans };

/** Opens a file: a path where there are paths, a Uint8Array, an ArrayBuffer, a Blob or a File. */
export async function open(source) {
  const path = await pathOf(source);
  const facts = await transport.ask("info", path, {});
  return new (classes[facts.class_name || facts.format] || File)(path, facts);
}

/** Ends what runs for this package. A later question starts it again. */
export async function close() {
  await transport.close();
}

export { PakboxError, questions };
