// pakbox in Node: one process of the native command, "pakbox ask".
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, sep } from "node:path";
import { createInterface } from "node:readline";
import { PakboxError, use } from "./core.js";
import { executable } from "./executable.js";

let child = null;
let folder = null;
let last = 0;
const waiting = new globalThis.Map();

function start() {
  if (child) return child;
  const own = (child = spawn(executable() ?? "pakbox-is-not-installed", ["ask"], {
    stdio: ["pipe", "pipe", "inherit"],
  }));
  own.stdin.on("error", () => {});
  const end = (problem) => {
    if (child === own) child = null;
    for (const [, { reject }] of waiting) reject(new PakboxError(problem));
    waiting.clear();
  };
  own.on("error", (e) =>
    end({
      kind: "not_found",
      message: `the command pakbox cannot be started: ${e.message}`,
      hints: [
        `install the package @pakbox/${process.platform}-${process.arch} beside pakbox, or set PAKBOX to the path of the command`,
      ],
    }),
  );
  own.on("exit", () => end({ kind: "ended", message: "pakbox ended before it answered" }));
  createInterface({ input: own.stdout }).on("line", (line) => {
    const reply = JSON.parse(line);
    const question = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) idle(own, true); // let the program end
    if (reply.error) question?.reject(new PakboxError(named(reply.error)));
    else question?.resolve(reply);
  });
  return own;
}

// named replaces the path in the folder for temporary files in an error by the own name of a
// file that was passed as content.
function named(error) {
  if (!folder) return error;
  const plain = (text) =>
    text
      ?.split(folder + sep)
      .map((part, i) => (i ? part.replace(/^\d+-/, "") : part))
      .join("");
  return { ...error, message: plain(error.message), file: plain(error.file) };
}

// idle lets Node end while the process waits for questions.
function idle(c, yes) {
  for (const part of [c, c.stdin, c.stdout]) yes ? part.unref() : part.ref();
}

function send(message) {
  const c = start();
  idle(c, false);
  return new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    c.stdin.write(JSON.stringify({ id: last, ...message }) + "\n");
  });
}

/** Runs a command of pakbox and resolves to what it prints. */
export async function run(...args) {
  if (args.some((arg) => typeof arg === "object" && !(arg instanceof URL)))
    throw new TypeError('run takes each argument by itself: run("info", "A.Map.Gbx")');
  const { done } = await send({ run: args.map(String) });
  if (done.code > 1) {
    // 1 means that findings exist
    const [message, ...hints] = done.stderr.trim().split("\n");
    throw new PakboxError({ kind: "exit_" + done.code, message: message.replace("pakbox: ", ""), hints });
  }
  return new Uint8Array(Buffer.from(done.stdout, "base64"));
}

let files = 0;

use({
  async ask(name, path, params) {
    const reply = await send({ ask: name, path, with: params });
    return reply.file ? new Uint8Array(Buffer.from(reply.file.data, "base64")) : reply.answer;
  },
  async change(name, path, params) {
    return (await send({ ask: name, path, with: params })).answer;
  },
  async path(source) {
    if (typeof source === "string") return source;
    if (!folder) {
      const made = (folder = mkdtempSync(join(tmpdir(), "pakbox-")));
      process.on("exit", () => rmSync(made, { recursive: true, force: true }));
    }
    const data = source instanceof Blob ? new Uint8Array(await source.arrayBuffer()) : source;
    const path = join(folder, ++files + "-" + basename(source.name || "file"));
    writeFileSync(path, data);
    return path;
  },
  read: (path) => run("cat", path),
  async close() {
    const c = child;
    if (!c) return;
    idle(c, false);
    const gone = new Promise((resolve) => c.on("exit", resolve));
    c.stdin.end();
    await gone;
  },
});

export * from "./core.js";
