// An archive: the tree of its files, with a preview of the chosen one beside it.

import { h, replace } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { count, size } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";
import { showPreview } from "../../widgets/preview/preview.js";

const drawings = [
  [/\.(png|jpe?g|webp|dds|tga|bmp)$/i, "picture"],
  [/\.(txt|xml|py|lua|json|csv|tab|dat|script\.txt|html?|js|css)$/i, "text"],
  [/\.(ogg|wav|mux|mp3)$/i, "sound"],
  [/\.(map|challenge)\.gbx$/i, "map"],
  [/\.(replay|ghost)\.gbx$/i, "run"],
  [/\.(item|block|mesh|solid2?|crystal|shape|macroblock)\.gbx$/i, "item"],
  [/\.(zip|vpk|eix|epk|pck|pak|pack\.gbx)$/i, "pack"],
];
const drawingOf = (name) => drawings.find(([ending]) => ending.test(name))?.[1] || "file";
const isHash = (name) => /^[0-9A-F]{16,}$/i.test(name);

// most is the maximum number of files of a folder or a filter that are in the page at once.
const most = 500;

// treeOf sorts files into their folders: {folders: Map, files}.
function treeOf(files) {
  const root = { folders: new Map(), files: [], size: 0, locked: 0, count: 0 };
  for (const file of files) {
    let at = root;
    const parts = file.name.split("/");
    for (const part of [null, ...parts.slice(0, -1)]) {
      if (part !== null) {
        if (!at.folders.has(part))
          at.folders.set(part, { folders: new Map(), files: [], size: 0, locked: 0, count: 0 });
        at = at.folders.get(part);
      }
      at.size += Math.max(0, file.size || 0);
      at.count++;
      if (file.encrypted) at.locked++;
    }
    at.files.push({ ...file, short: parts.at(-1) || file.name });
  }
  return root;
}

// showArchive draws the tree into an element; filter is the text to search for.
export function archiveOf(page, answer, fits) {
  const list = h("div", { class: "archive-tree", role: "group", "aria-label": "Files" }),
    side = h("div", { class: "archive-side", role: "region", "aria-label": "Preview", tabindex: "0" });
  let looking = new AbortController(),
    chosen = page.query.pick || "";
  page.signal.addEventListener("abort", () => looking.abort());

  function pick(file) {
    chosen = file.name;
    address.change({ pick: file.name }, { quiet: true });
    list.querySelectorAll("[aria-current]").forEach((b) => b.removeAttribute("aria-current"));
    [...list.querySelectorAll("[data-name]")]
      .find((b) => b.dataset.name === file.name)
      ?.setAttribute("aria-current", "true");
    looking.abort();
    looking = new AbortController();
    if (file.unsafe)
      return replace(
        side,
        h("h2", {}, file.name),
        h("p", { class: "warning" }, "⚠ This name is unsafe: " + file.unsafe),
        h("p", { class: "note" }, "pakbox never writes it outside the folder that you extract into."),
        foot(),
      );
    replace(side, h("p", { class: "note" }, "…"));
    showPreview(side, page.path + "/" + file.name, looking.signal, null, { stored: file, foot });
  }

  const mark = (file) => [
    file.unsafe &&
      h(
        "span",
        { class: "warning", title: "unsafe: " + file.unsafe },
        icon("warning", 14),
        h("span", { class: "unseen" }, "unsafe name"),
      ),
    file.encrypted &&
      h("span", { class: "note", title: "locked" }, icon("lock", 14), h("span", { class: "unseen" }, "locked")),
    file.problem && h("span", { class: "bad", title: file.problem }, icon("warning", 14)),
  ];
  const fileRow = (depth, name) => (file) =>
    h(
      "button",
      {
        type: "button",
        class: "archive-row",
        "data-name": file.name,
        "aria-current": file.name === chosen ? "true" : null,
        style: { paddingLeft: 30 + depth * 18 + "px" },
        onclick: () => pick(file),
        ondblclick: () => {
          location.hash = address.of(page.path + "/" + file.name);
        },
      },
      icon(drawingOf(file.name), 16),
      h(
        "span",
        { class: "archive-name", title: file.name },
        isHash(name(file))
          ? [
              h("span", { class: "note" }, "name not known "),
              h("span", { class: "mono note" }, name(file).slice(0, 8) + "…"),
            ]
          : name(file),
      ),
      mark(file),
      h("span", { class: "archive-size" }, size(file.size)),
    );

  // folderRows are the rows below a folder; the rows of closed folders are made on
  // opening.
  function folderRows(node, depth, path) {
    const folders = [...node.folders]
      .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
      .map(([name, inner]) => {
        let title = name,
          at = inner,
          where = path + name;
        while (!at.files.length && at.folders.size === 1) {
          const [[next, deeper]] = at.folders;
          title += " / " + next;
          where += "/" + next;
          at = deeper;
        } // a chain of folders with one folder each is one row
        const below = h("div", { hidden: true });
        const row = h(
          "button",
          {
            type: "button",
            class: "archive-row",
            "aria-expanded": "false",
            style: { paddingLeft: 8 + depth * 18 + "px" },
            onclick: () => toggle(),
          },
          h("span", { class: "archive-turn" }, icon("more", 14)),
          icon("folder", 16),
          h("span", { class: "archive-name", title: where }, title + "/"),
          at.locked > 0 && at.locked === at.count && h("span", { class: "note", title: "locked" }, icon("lock", 14)),
          h("span", { class: "archive-size" }, size(at.size)),
        );
        function toggle() {
          const open = row.getAttribute("aria-expanded") !== "true";
          row.setAttribute("aria-expanded", String(open));
          if (open && !below.childElementCount) replace(below, folderRows(at, depth + 1, where + "/"));
          below.hidden = !open;
        }
        if (node.count <= 80 || chosen.startsWith(where + "/") || (node.folders.size === 1 && !node.files.length))
          toggle();
        return [row, below];
      });
    const files = [...node.files].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
    return [
      folders,
      files.slice(0, most).map(fileRow(depth, (f) => f.short)),
      files.length > most &&
        h("p", { class: "note archive-row" }, `and ${count(files.length - most, "file")} more: filter by name`),
    ];
  }

  function draw() {
    const files = fits();
    if (files.length < answer.children.length)
      replace(
        list,
        files.slice(0, most).map(fileRow(0, (f) => f.name)),
        !files.length && h("p", { class: "note archive-row" }, "Nothing here has such a name."),
      );
    else replace(list, folderRows(treeOf(files), 0, ""));
  }

  // foot has the facts about the archive below each preview.
  function foot() {
    const card = page.what.card || [],
      line = (...names) => card.find((l) => names.includes(l.name) && l.text);
    const cells = [
      ["title_id", "Title"],
      ["author_nick", "Author"],
      ["nick", "Author"],
      ["author", "Author"],
      ["created", "Made"],
      ["comment", "Comment"],
    ]
      .map(([name, label]) => [line(name), label])
      .filter(([l]) => l);
    const seen = new Set(),
      locked = answer.children.filter((c) => c.encrypted).length;
    return h(
      "div",
      { class: "sheet archive-foot" },
      h(
        "dl",
        {},
        cells
          .filter(([, label]) => !seen.has(label) && seen.add(label))
          .map(([l, label]) =>
            h(
              "div",
              { class: "map-number" },
              h("dt", {}, label),
              h("dd", {}, label === "Made" ? l.text.slice(0, 10) : l.text),
            ),
          ),
        h(
          "div",
          { class: "map-number" },
          h("dt", {}, locked ? "Readable" : "Files"),
          h(
            "dd",
            {},
            locked
              ? `${answer.children.length - locked} of ${answer.children.length}`
              : answer.children.length.toLocaleString("en"),
          ),
        ),
      ),
      locked > 0 &&
        h(
          "p",
          {},
          icon("lock", 16),
          ` ${count(locked, "file")} ${locked === 1 ? "is" : "are"} locked with a key that pakbox does not have. They can be listed, checked and copied, not read.`,
        ),
    );
  }

  draw();
  // A preview is shown from the start: the chosen file, else a picture, else a text.
  const usable = answer.children.filter((c) => !c.encrypted && !c.unsafe && !c.problem),
    first =
      answer.children.find((c) => c.name === chosen) ||
      (matchMedia("(min-width: 721px)").matches &&
        (usable.find((c) => drawingOf(c.name) === "picture" && !c.name.includes("/")) ||
          usable.find((c) => drawingOf(c.name) === "picture") ||
          usable.find((c) => drawingOf(c.name) === "text") ||
          usable[0]));
  if (first) pick(first);
  else
    replace(
      side,
      h("p", { class: "note" }, answer.children.length ? "Choose a file to see what it is." : "The archive is empty."),
      foot(),
    );
  return { element: h("div", { class: "archive" }, list, side), filter: draw };
}
