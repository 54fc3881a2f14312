// Names to find files by: the name and author of a map are inside its file, which is
// read once.

import { ask } from "./api.js";

const read = new Map(); // path -> { stamp, title, names }
const most = 20000; // files whose names are kept
const together = 24; // files in one question

const stampOf = (file) => `${file.size} ${file.changed}`;

// namesOf returns the known names of a file in lower case, and its title: {names, title,
// known}.
export function namesOf(file) {
  const found = read.get(file.path),
    known = found?.stamp === stampOf(file);
  return {
    names: (file.name + (known ? " " + found.names : "")).toLowerCase(),
    title: (known && found.title) || file.name,
    known,
  };
}

// readNames reads the names of files, a few at a time. It calls after for each part, with
// the number of files that remain.
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
  const fact = (name) => what?.card?.find((l) => l.name === name)?.text || "",
    login = what?.facts?.author_login || what?.facts?.login || "";
  read.set(file.path, {
    stamp: stampOf(file),
    title: what?.title || file.name,
    names: [what?.title, fact("name"), fact("map_name"), fact("author_nick"), fact("nick"), login]
      .filter(Boolean)
      .join(" "),
  });
}
