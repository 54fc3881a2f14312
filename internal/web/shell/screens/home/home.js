// Home: what may be looked at, and a place to drop more.

import { h, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { recent } from "../../lib/recent.js";
import { count } from "../../lib/format.js";
import { split, toggle } from "../../lib/words.js";
import { makeFacets } from "../../widgets/facets/facets.js";
import { makeGallery } from "../../widgets/gallery/gallery.js";
import { makeTiles } from "../../widgets/tile/tile.js";
import { makeDrop } from "../../widgets/drop/drop.js";

await styles(new URL("./home.css", import.meta.url));

export async function show(page) {
  const home = await page.ask("home");
  page.command("pakbox serve" + home.roots.map((r) => " " + r.name).join(""));
  const trouble = h("div", {});
  const drop = makeDrop({
    taken: (paths) => { location.hash = paths.length === 1 ? address.of(paths[0]) : address.of(paths[0].split("/")[0]); },
    failed: (error) => replace(trouble, h("div", { class: "error", role: "alert" }, error.message)),
  });
  const lately = recent(), here = home.roots.length > 0 && h("div", {});
  const collection = home.collection && makeCollection(page, home.collection);
  replace(page.target,
    h("h1", {}, "pakbox"),
    h("p", { class: "note" }, "Maps, replays, items, packs and paksets: opened, explained, checked and changed."),
    drop.element, trouble,
    home.indexes?.length > 0 && h("p", { class: "sheet home-indexes" }, "Search everything: ", home.indexes.map((path) => h("a", { href: address.of(path) }, "open the index " + path.split("/").at(-1)))),
    here,
    collection?.element,
    lately.length > 0 && section("Lately", lately),
    h("h2", {}, "What it opens"),
    h("dl", { class: "facts" }, home.formats.map((f) => [h("dt", {}, f.name), h("dd", {}, f.description)])),
    home.read_only && h("p", { class: "note" }, "Nothing can be changed from here: the page is served read-only."),
  );
  await Promise.all([here && showRoots(page, home.roots, here), collection?.find()]);
}

let came = false; // somebody was home before

// showRoots shows what is served as tiles: the files of a folder that is alone. A
// single file is what its visitor came for, so that is where the first visit goes.
async function showRoots(page, roots, target) {
  const alone = roots.length === 1 ? roots[0] : null;
  if (alone && alone.kind !== "folder" && !came) {
    came = true;
    location.replace(address.of(alone.name));
    return;
  }
  came = true;
  const files = alone?.kind === "folder" ? (await page.ask("children", { path: alone.name })).children.map((c) => ({ ...c, path: alone.name + "/" + c.name }))
    : roots.map((r) => ({ path: r.name, name: r.name, kind: r.kind }));
  const tiles = makeTiles(page.signal, { label: "Here" });
  files.sort((a, b) => (a.kind === "folder" ? 0 : 1) - (b.kind === "folder" ? 0 : 1));
  tiles.add(files.slice(0, atOnce));
  replace(target, h("h2", {}, "Here"), h("p", {}, roots.map((r) => [h("a", { href: address.of(r.name) }, r.name), " "]), h("span", { class: "note" }, count(files.length, "file"))), tiles.element);
}

// atOnce is how many files of the collection home shows: two rows.
const atOnce = 12;

// makeCollection is a first look at an index: search, facets, a few pictures.
function makeCollection(page, { files }) {
  const all = h("a", {}), pictures = h("div", { class: "home-pictures" }), trouble = h("div", { role: "status", class: "note" });
  const search = h("input", { type: "search", "data-search": "", placeholder: "name, author, …", "aria-label": "Search the collection", value: page.query.q || "", class: "grow" });
  const facets = makeFacets((word) => { search.value = toggle(search.value, word); find(); });
  let turn = 0, wait;
  async function find() {
    const mine = ++turn, q = split(search.value);
    address.change({ q: search.value }, { quiet: true });
    all.href = address.view("collection", { q: search.value });
    try {
      const [got, narrow] = await Promise.all([page.ask("find", { q }), page.ask("facets", { q })]);
      if (mine !== turn) return;
      replace(trouble, null);
      replace(all, `${got.cut ? "more than " : ""}${got.rows.length.toLocaleString("en")} found: pictures, table, SQL, CSV`);
      replace(pictures, makeGallery({ ...got, rows: got.rows.slice(0, atOnce) }, page.signal).element);
      facets.show(narrow.facets, search.value);
    } catch (error) {
      if (mine === turn && !page.signal.aborted) replace(trouble, error.message);
    }
  }
  search.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(find, 150); });
  const element = h("section", { class: "home-collection", "aria-label": "Collection" }, h("h2", {}, `Collection of ${count(files, "file")}`),
    h("div", { class: "bar" }, search, all), h("div", { class: "home-facets" }, facets.element), trouble, pictures);
  return { element, find };
}

function section(title, list) {
  return h("section", { "aria-label": title }, h("h2", {}, title),
    h("ul", { class: "home-list" }, list.map((r) => h("li", {}, h("a", { href: address.of(r.path) }, r.path), r.title && h("span", { class: "note" }, " " + r.title)))));
}
