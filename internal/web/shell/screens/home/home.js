// Home: what may be looked at, and a place to drop more.

import { h, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { recent } from "../../lib/recent.js";
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
  const lately = recent();
  replace(page.target,
    h("h1", {}, "pakbox"),
    h("p", { class: "note" }, "Maps, replays, items, packs and paksets: opened, explained, checked and changed."),
    drop.element, trouble,
    home.roots.length > 0 && section("Here", home.roots.map((r) => ({ path: r.name, title: r.kind }))),
    home.collection && h("section", {}, h("h2", {}, "Collection"),
      h("p", {}, h("a", { href: address.view("collection") }, "Search " + home.collection.files.toLocaleString("en") + " files"))),
    lately.length > 0 && section("Lately", lately),
    h("h2", {}, "What it opens"),
    h("dl", { class: "facts" }, home.formats.map((f) => [h("dt", {}, f.name), h("dd", {}, f.description)])),
    home.read_only && h("p", { class: "note" }, "Nothing can be changed from here: the page is served read-only."),
  );
}

function section(title, list) {
  return h("section", { "aria-label": title }, h("h2", {}, title),
    h("ul", { class: "home-list" }, list.map((r) => h("li", {}, h("a", { href: address.of(r.path) }, r.path), r.title && h("span", { class: "note" }, " " + r.title)))));
}
