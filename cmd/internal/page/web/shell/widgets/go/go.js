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
  const list = h("ul", { class: "go-list", id: "go-list", role: "listbox", "aria-label": "Files" }),
    said = h("p", { class: "note", role: "status" });
  const box = h("input", {
    type: "text",
    role: "combobox",
    "aria-controls": "go-list",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
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
          const link = list.querySelector("a[aria-selected=true]") || list.querySelector("a");
          if (box.value.includes("/") && at < 0) location.hash = address.of(box.value);
          else if (link) location.hash = link.getAttribute("href");
          else return;
          dialog.close();
        },
      },
      box,
    ),
    said,
    list,
  );
  let at = -1; // the file that Enter opens, if the user has chosen one with the arrow keys
  box.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key],
      links = [...list.querySelectorAll("a")];
    if (!by || !links.length) return;
    event.preventDefault();
    at = (Math.max(at, by > 0 ? -1 : 0) + by + links.length) % links.length;
    mark(links);
  });
  // mark shows the chosen file, also to a reader of the screen: the focus stays in the box.
  function mark(links) {
    links.forEach((link, i) => link.setAttribute("aria-selected", String(i === at)));
    box.setAttribute("aria-activedescendant", links[at]?.id || "");
    links[at]?.scrollIntoView({ block: "nearest" });
  }
  const files = []; // of all folders, for a search by name
  let turn = 0,
    begun = false,
    left = 0;

  function draw(found) {
    const chosen = list.querySelector("a[aria-selected=true]")?.getAttribute("href");
    at = -1;
    replace(
      list,
      found.slice(0, shown).map(({ path, title }, i) =>
        h(
          "li",
          { role: "none" },
          h(
            "a",
            {
              id: "go-" + i,
              role: "option",
              "aria-selected": "false",
              href: address.of(path),
              onclick: () => dialog.close(),
            },
            title,
            " ",
            title !== path && h("span", { class: "note" }, path),
          ),
        ),
      ),
    );
    const links = [...list.querySelectorAll("a")];
    at = chosen ? links.findIndex((link) => link.getAttribute("href") === chosen) : -1;
    mark(links);
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
