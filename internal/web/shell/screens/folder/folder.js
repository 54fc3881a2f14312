// A folder, or an archive as one: its files as tiles or as a table, and what can be
// done with the chosen ones.

import { h, replace, styles } from "../../lib/dom.js";
import { ask, change } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, day, shell, size } from "../../lib/format.js";
import { keep, kept } from "../../lib/keep.js";
import { makeCard } from "../../widgets/card/card.js";
import { makeList } from "../../widgets/list/list.js";
import { makeTiles } from "../../widgets/tile/tile.js";
import { showPreview } from "../preview/preview.js";

await styles(new URL("./folder.css", import.meta.url));

export const whole = true;

export async function show(page) {
  const answer = await page.ask("children", { path: page.path });
  page.command(answer.command);
  const files = answer.children, title = h("h1", { class: "unseen" }, page.path.split("/").at(-1));
  if (answer.locked) {
    replace(page.target, title, h("div", { class: "folder-locked" }, keyBox(page, answer.locked), page.what.card && makeCard(page.what.card)));
    return;
  }
  const room = h("div", { class: "folder-room" });
  const views = { tiles: () => tilesOf(page, fits(), room), table: () => tableOf(page, answer, fits) };
  let view = kept(answer.archive ? "archive.view" : "folder.view", answer.archive ? "table" : "tiles"), shown = null;
  const fits = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return files.filter((f) => words.every((w) => f.name.toLowerCase().includes(w)));
  };
  const search = h("input", {
    type: "search", "data-search": "", placeholder: `Filter ${count(files.length, "file")}`, "aria-label": "Filter by name", class: "folder-filter", value: page.query.filter || "",
    oninput: () => { address.change({ filter: search.value }, { quiet: true }); draw(); },
  });
  const choice = h("div", { class: "choice", role: "group", "aria-label": "View" }, [["tiles", "Tiles"], ["table", "Table"]].map(([name, text]) =>
    h("button", { type: "button", "data-view": name, onclick: () => { keep(answer.archive ? "archive.view" : "folder.view", name); view = name; shown = null; draw(); } }, text)));
  function draw() {
    for (const b of choice.children) b.setAttribute("aria-pressed", String(b.dataset.view === view));
    if (shown?.filter) shown.filter();
    else {
      shown = views[view]();
      replace(room, shown.element);
    }
    const n = fits().length;
    page.status(n === files.length ? n.toLocaleString("en") + " here" : n.toLocaleString("en") + " of " + files.length.toLocaleString("en"));
  }
  replace(page.target, title, h("div", { class: "bar folder-bar" }, search, answer.problem && h("span", { class: "bad" }, answer.problem), h("span", { class: "folder-gap" }), choice), room);
  draw();
  shown.ready?.();
}

// atOnce is how many tiles are made before somebody scrolls to the last.
const atOnce = 120;

// tilesOf shows files as tiles, with a bar for the chosen ones.
function tilesOf(page, files, room) {
  const order = [...files].sort((a, b) => (a.kind === "folder" ? 0 : 1) - (b.kind === "folder" ? 0 : 1) || a.name.localeCompare(b.name, "en", { numeric: true }));
  const chosen = new Map(), bar = h("div", { class: "folder-chosen", role: "region", "aria-label": "Chosen files", hidden: true });
  const tiles = makeTiles(page.signal, { choose: (file, on) => { if (on) chosen.set(file.path, file); else chosen.delete(file.path); drawBar(); } });
  const end = h("div", { class: "folder-end" });
  let made = 0;
  const more = new IntersectionObserver((seen) => { if (seen.some((e) => e.isIntersecting)) add(); }, { root: room, rootMargin: "600px" });
  page.signal.addEventListener("abort", () => more.disconnect());
  function add() {
    tiles.add(order.slice(made, made + atOnce).map((f) => ({ ...f, path: page.path + "/" + f.name })));
    made += atOnce;
    if (made >= order.length) more.disconnect();
  }
  function clear() {
    chosen.clear();
    tiles.element.querySelectorAll("input:checked").forEach((box) => { box.checked = false; });
    drawBar();
  }
  function drawBar(result) {
    bar.hidden = chosen.size === 0;
    const paths = [...chosen.keys()];
    replace(bar, h("b", {}, chosen.size + " chosen"), h("span", { class: "note" }, size([...chosen.values()].reduce((sum, f) => sum + (f.size || 0), 0))),
      h("button", { type: "button", onclick: async () => drawBar(await checkAll(paths, page.signal)) }, "Check"),
      paths.length === 2 && h("a", { href: address.view("diff", { a: paths[0], b: paths[1] }) }, "Compare"),
      h("button", { type: "button", onclick: () => navigator.clipboard?.writeText("pakbox verify " + paths.map(shell).join(" ")) }, "Copy command"),
      h("button", { type: "button", class: "quiet", "aria-label": "Choose none", onclick: clear }, "✕"),
      result && h("div", { class: "folder-result", role: "status" }, result));
  }
  add();
  more.observe(end);
  return { element: [files.length ? tiles.element : h("p", { class: "note" }, "Nothing here has such a name."), end, bar] };
}

// checkAll asks verify of every path, and says how it went.
async function checkAll(paths, signal) {
  const wrong = [];
  for (const path of paths) {
    try {
      const answer = await ask("verify", { path }, { signal });
      if (!answer.ok) wrong.push(path.split("/").at(-1));
    } catch (error) {
      if (signal.aborted) return null;
      wrong.push(path.split("/").at(-1) + ": " + error.message);
    }
  }
  return wrong.length ? h("span", { class: "bad" }, `${count(wrong.length, "file")} with problems: ${wrong.join(", ")}`) : h("span", { class: "good" }, "All fine.");
}

// tableOf shows files as a table, with a look at the one under the cursor.
function tableOf(page, answer, fits) {
  const side = h("div", { class: "folder-side sheet", role: "region", "aria-label": "Preview", tabindex: "0" });
  let looking = new AbortController();
  page.signal.addEventListener("abort", () => looking.abort());
  const list = makeList({
    label: "Files",
    columns: [
      { title: "Name", cell: (r) => (r.unsafe ? "⚠ " : "") + r.name + (r.kind === "folder" ? "/" : "") + (r.unsafe ? ` (unsafe: ${r.unsafe})` : ""), sort: (r) => (r.kind === "folder" ? "0" : "1") + r.name.toLowerCase(), width: "minmax(14ch, 3fr)" },
      { title: "Size", cell: (r) => size(r.size), sort: (r) => r.size, number: true, width: "10ch" },
      ...(answer.archive ? [
        { title: "Stored", cell: (r) => size(r.stored_size), sort: (r) => r.stored_size, number: true, width: "10ch" },
        { title: "How", cell: (r) => (r.encrypted ? "locked " : "") + (r.method || ""), sort: (r) => r.method, width: "minmax(10ch, 1.2fr)" },
      ] : [{ title: "Changed", cell: (r) => day(r.changed), sort: (r) => r.changed, number: true, width: "13ch" }]),
    ],
    sorted: kept("folder.sorted", { column: 0, down: false }),
    ordered: (order) => keep("folder.sorted", order),
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
  list.rows(fits());
  replace(side, nothing(), page.what.card && makeCard(page.what.card));
  return {
    element: h("div", { class: "folder-split" }, list.element, side),
    filter: () => list.rows(fits()),
    ready: () => { if (page.query.pick) list.pickWhere((r) => r.name === page.query.pick); },
  };
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
  const trouble = h("div", { class: "bad", role: "alert" }), button = h("button", { class: "main" }, "Unlock");
  secret.addEventListener("input", () => { secret.removeAttribute("aria-invalid"); trouble.textContent = ""; });
  return h("form", { class: "sheet", "aria-label": "Unlock", onsubmit: async (event) => {
    event.preventDefault();
    button.disabled = true;
    button.textContent = "Trying…";
    try {
      await change("unlock", { path: page.path }, byPassphrase ? { passphrase: secret.value } : { name: name.value, key: secret.value });
      window.dispatchEvent(new CustomEvent("pakbox-changed"));
    } catch (error) {
      trouble.textContent = byPassphrase && /wrong passphrase/i.test(error.message) ? "That passphrase does not open it. Check capital letters, and try again." : error.message;
      secret.setAttribute("aria-invalid", "true");
      secret.select();
    }
    button.disabled = false;
    button.textContent = "Unlock";
  } }, h("h2", {}, byPassphrase ? "This archive needs a passphrase" : "This archive needs a key"),
  !byPassphrase && [h("div", {}, locked.message), (locked.hints || []).map((text) => h("div", { class: "note" }, text))],
  h("div", { class: "bar" }, !byPassphrase && name, secret, button), trouble, h("div", { class: "note" }, "It is kept in memory until pakbox ends."));
}
