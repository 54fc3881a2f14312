// The names that files are found by: what a map is called and who made it stand inside
// its file, which is read once.

import { ask } from "./api.js";

const read = new Map(); // path -> { stamp, title, names }
const most = 20000; // files whose names are kept
const together = 24; // files in one question

const stampOf = (file) => `${file.size} ${file.changed}`;

// namesOf are the names of a file in small letters, as far as they are known, and its
// title: {names, title, known}.
export function namesOf(file) {
  const found = read.get(file.path),
    known = found?.stamp === stampOf(file);
  return {
    names: (file.name + (known ? " " + found.names : "")).toLowerCase(),
    title: (known && found.title) || file.name,
    known,
  };
}

// readNames reads the names of files, a few at a time; after is called when some more are
// known, with how many are left.
export async function readNames(files, signal, after) {
  const unknown = files.filter((f) => f.kind !== "folder" && !namesOf(f).known);
  let left = unknown.length;
  async function some() {
    for (let list; (list = unknown.splice(0, together)).length && !signal?.aborted;) {
      const { tiles } = await ask("tiles", { path: list.map((f) => f.path), bare: "true" }, { signal });
      list.forEach((f, i) => keepNames(f, tiles[i].what));
      left -= list.length;
      after?.(left);
    }
  }
  await Promise.all([some(), some()]);
}

function keepNames(file, what) {
  if (read.size >= most) read.clear();
  const said = (name) => what?.card?.find((l) => l.name === name)?.text || "",
    login = what?.facts?.author_login || what?.facts?.login || "";
  read.set(file.path, {
    stamp: stampOf(file),
    title: what?.title || file.name,
    names: [what?.title, said("name"), said("map_name"), said("author_nick"), said("nick"), login]
      .filter(Boolean)
      .join(" "),
  });
}
