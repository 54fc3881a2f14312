// A box to find a file in any folder by its name, by the name or author of its map, or by
// its path. For a path it lists the content of the folder.

import { h, replace } from "../../lib/dom.js";
import { ask } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { namesOf, readNames } from "../../lib/names.js";

const shown = 15; // files in the list
const mostFolders = 500; // folders that a search reads

export function showGo() {
  const list = h("ul", { class: "go-list", "aria-label": "Files" }),
    said = h("p", { class: "note", role: "status" });
  const box = h("input", {
    type: "text",
    "aria-label": "Name, author or path",
    placeholder: "Name, author, or a path",
    style: { width: "min(80vw, 60ch)" },
  });
  const ended = new AbortController();
  const dialog = h(
    "dialog",
    {
      "aria-label": "Search files",
      onclose: () => {
        ended.abort();
        dialog.remove();
      },
    },
    h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          const first = list.querySelector("a");
          if (box.value.includes("/")) location.hash = address.of(box.value);
          else if (first) location.hash = first.getAttribute("href");
          else return;
          dialog.close();
        },
      },
      box,
    ),
    said,
    list,
  );
  const files = []; // of all folders, for a search by name
  let turn = 0,
    begun = false,
    left = 0;

  function draw(found) {
    replace(
      list,
      found
        .slice(0, shown)
        .map(({ path, title }) =>
          h(
            "li",
            {},
            h(
              "a",
              { href: address.of(path), onclick: () => dialog.close() },
              title,
              " ",
              title !== path && h("span", { class: "note" }, path),
            ),
          ),
        ),
    );
  }
  // byName shows the files whose names contain all the words.
  function byName() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length || box.value.includes("/")) return;
    const found = files.map((f) => ({ ...f, ...namesOf(f) })).filter((f) => words.every((w) => f.names.includes(w)));
    draw(found);
    replace(
      said,
      [
        found.length > shown ? `the first ${shown} of ${count(found.length, "file")}` : count(found.length, "file"),
        left > 0 && `the names in ${count(left, "file")} are being read`,
      ]
        .filter(Boolean)
        .join(", "),
    );
  }
  // gather lists the files of all folders, the nearest first, then reads their names.
  async function gather() {
    const folders = [""];
    for (let i = 0; i < folders.length && i < mostFolders && !ended.signal.aborted; i++) {
      const { children } = await ask("children", { path: folders[i] }, { signal: ended.signal }).catch(() => ({
        children: [],
      }));
      for (const c of children) {
        const path = (folders[i] && folders[i] + "/") + c.name;
        files.push({ ...c, path });
        if (c.kind === "folder") folders.push(path);
      }
      byName();
    }
    await readNames(files, ended.signal, (n) => {
      left = n;
      byName();
    }).catch(() => {});
  }
  // byPath shows the content of the folder of the typed path.
  async function byPath() {
    const mine = ++turn,
      cut = box.value.lastIndexOf("/");
    const [dir, start] = [box.value.slice(0, Math.max(cut, 0)), box.value.slice(cut + 1).toLowerCase()];
    const { children } = await ask("children", { path: dir, most: 2000 }).catch(() => ({ children: [] }));
    if (mine !== turn) return;
    replace(said, null);
    draw(
      children
        .filter((c) => c.name.toLowerCase().startsWith(start))
        .map((c) => ({ path: (dir && dir + "/") + c.name, title: c.name })),
    );
  }
  box.addEventListener("input", () => {
    if (!box.value.trim() || box.value.includes("/")) return void byPath();
    turn++; // drops answers about a path that arrive later
    byName();
    if (!begun) {
      begun = true;
      gather();
    }
  });
  document.body.append(dialog);
  dialog.showModal();
  byPath();
}
