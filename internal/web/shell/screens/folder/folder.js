// A folder, or an archive as one: its files, and a look at the chosen one.

import { h, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { size } from "../../lib/format.js";
import { makeList } from "../../widgets/list/list.js";
import { showPreview } from "../preview/preview.js";

await styles(new URL("./folder.css", import.meta.url));

export const whole = true;

export async function show(page) {
  const answer = await page.ask("children", { path: page.path });
  page.command(answer.command);
  page.status(answer.children.length.toLocaleString("en") + " here");
  const side = h("div", { class: "folder-side", role: "region", "aria-label": "Preview", tabindex: "0" });
  let looking = new AbortController();
  const list = makeList({
    label: "Files",
    columns: [
      { title: "Name", cell: (r) => (r.kind === "folder" ? "📁 " : "") + r.name, sort: (r) => (r.kind === "folder" ? "0" : "1") + r.name.toLowerCase(), width: "minmax(14ch, 3fr)" },
      { title: "Size", cell: (r) => size(r.size), sort: (r) => r.size, number: true, width: "10ch" },
      ...(answer.archive ? [
        { title: "Stored", cell: (r) => size(r.stored_size), sort: (r) => r.stored_size, number: true, width: "10ch" },
        { title: "How", cell: (r) => (r.encrypted ? "🔒 " : "") + (r.method || ""), sort: (r) => r.method, width: "10ch" },
      ] : []),
    ],
    sorted: { column: 0, down: false },
    href: (r) => address.of(page.path + "/" + r.name),
    open: (r) => { location.hash = address.of(page.path + "/" + r.name); },
    pick: (r) => {
      looking.abort();
      looking = new AbortController();
      side.replaceChildren();
      if (r.kind !== "folder") showPreview(side, page.path + "/" + r.name, looking.signal);
    },
  });
  list.rows(answer.children);
  const search = h("input", {
    type: "search", "data-search": "", placeholder: "filter", "aria-label": "Filter by name", class: "grow",
    oninput: () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      list.filter(words.length ? (r) => words.every((w) => r.name.toLowerCase().includes(w)) : null);
      page.status(list.shown().length.toLocaleString("en") + " of " + answer.children.length.toLocaleString("en"));
    },
  });
  replace(page.target,
    h("div", { class: "bar folder-bar" }, search, answer.problem && h("span", { class: "bad" }, answer.problem)),
    answer.locked && keyBox(page, answer.locked),
    h("div", { class: "folder-split" }, list.element, side));
  page.signal.addEventListener("abort", () => looking.abort());
}

// keyBox says that a key is missing, and where to put it.
function keyBox(page, locked) {
  return h("div", { class: "error", role: "note" }, h("div", { class: "kind" }, locked.kind), h("div", {}, locked.message),
    (locked.hints || []).map((text) => h("div", { class: "note" }, text)));
}
