// A folder, or an archive as one: its files, and a look at the chosen one.

import { h, replace, styles } from "../../lib/dom.js";
import { change } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { size } from "../../lib/format.js";
import { makeCard } from "../../widgets/card/card.js";
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
      { title: "Name", cell: (r) => r.name + (r.kind === "folder" ? "/" : ""), sort: (r) => (r.kind === "folder" ? "0" : "1") + r.name.toLowerCase(), width: "minmax(14ch, 3fr)" },
      { title: "Size", cell: (r) => size(r.size), sort: (r) => r.size, number: true, width: "10ch" },
      ...(answer.archive ? [
        { title: "Stored", cell: (r) => size(r.stored_size), sort: (r) => r.stored_size, number: true, width: "10ch" },
        { title: "How", cell: (r) => (r.encrypted ? "locked " : "") + (r.method || ""), sort: (r) => r.method, width: "minmax(10ch, 1.2fr)" },
      ] : []),
    ],
    sorted: { column: 0, down: false },
    href: (r) => address.of(page.path + "/" + r.name),
    open: (r) => { location.hash = address.of(page.path + "/" + r.name); },
    pick: (r) => {
      looking.abort();
      looking = new AbortController();
      address.change({ pick: r.name }, { quiet: true });
      replace(side, nothing(r));
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
    h("div", { class: "bar folder-bar" }, !answer.locked && search, answer.problem && h("span", { class: "bad" }, answer.problem)),
    answer.locked && h("div", { class: "folder-locked" }, keyBox(page, answer.locked), page.what.card && makeCard(page.what.card)),
    !answer.locked && h("div", { class: "folder-split" }, list.element, side));
  replace(side, nothing(), page.what.card && makeCard(page.what.card));
  if (page.query.pick) list.pickWhere((r) => r.name === page.query.pick);
  page.signal.addEventListener("abort", () => looking.abort());
}

// nothing is what the side shows while nothing else is there.
function nothing(row) {
  return h("p", { class: "note" }, row ? "" : "Choose a file to see what it is; Enter opens it.");
}

// keyBox says that a key is missing, and takes one. It is kept in the memory of
// pakbox, and nowhere else.
function keyBox(page, locked) {
  const byPassphrase = locked.kind === "passphrase_required" || locked.kind === "wrong_key" && !locked.key;
  const name = h("input", { type: "text", "aria-label": "Name of the key", value: locked.key || page.path.split("/").at(-1).split(".")[0] });
  const secret = h("input", { type: "password", autocomplete: "off", "aria-label": byPassphrase ? "Passphrase" : "Key", placeholder: byPassphrase ? "passphrase" : "32 hex digits" });
  const trouble = h("span", { class: "bad", role: "status" });
  return h("form", { class: "error", "aria-label": "Unlock", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await change("unlock", { path: page.path }, byPassphrase ? { passphrase: secret.value } : { name: name.value, key: secret.value });
      window.dispatchEvent(new CustomEvent("pakbox-changed"));
    } catch (error) {
      trouble.textContent = error.message;
    }
  } }, h("div", { class: "kind" }, locked.kind), h("div", {}, locked.message), (locked.hints || []).map((text) => h("div", { class: "note" }, text)),
  h("div", { class: "bar" }, !byPassphrase && name, secret, h("button", {}, "Unlock"), trouble), h("div", { class: "note" }, "It is kept in memory until pakbox ends."));
}
