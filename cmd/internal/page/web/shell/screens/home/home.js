// Home: the served files, and an area to drop more.

import { h, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { recent } from "../../lib/recent.js";
import { filesIn } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";
import { makeTiles } from "../../widgets/tile/tile.js";
import { makeDrop } from "../../widgets/drop/drop.js";
import { showCollection } from "../../widgets/collection/collection.js";
import { makeSide } from "../../widgets/side/side.js";

await styles(new URL("./home.css", import.meta.url));

let came = false; // home was shown before

export async function show(page) {
  const home = await page.ask("home");
  page.command("pakbox serve" + home.roots.map((r) => " " + r.name).join(""));
  const alone = home.roots.length === 1 ? home.roots[0] : null;
  if (alone && alone.kind !== "folder" && !came) {
    // a single served file is opened at once
    came = true;
    location.replace(address.of(alone.name));
    return;
  }
  came = true;
  const lately = recent();
  const drop = makeDrop({
    taken: (paths) => {
      location.hash = paths.length === 1 ? address.of(paths[0]) : address.of(paths[0].split("/")[0]);
    },
    progress: (done, of) => page.status(done === of ? "" : `taking file ${done + 1} of ${of}`),
    failed: page.fail,
  });
  const more = [
    drop,
    h(
      "details",
      { class: "home-more" },
      h("summary", {}, "Supported files"),
      h(
        "dl",
        { class: "facts" },
        home.formats.map((f) => [h("dt", {}, f.name), h("dd", {}, f.description)]),
      ),
    ),
    home.read_only && h("p", { class: "note" }, "Nothing can be changed from here: the page is served read-only."),
  ];
  const extra = [
    home.roots.length > 0 &&
      links(
        "Folders",
        home.roots.map((r) => ({ path: r.name, drawing: r.kind === "folder" ? "folder" : "file", text: r.name })),
      ),
    home.indexes?.length > 0 &&
      links(
        "Search everything",
        home.indexes.map((path) => ({ path, drawing: "all", text: path.split("/").at(-1) })),
      ),
    links("Reference", [{ href: address.view("catalogue"), drawing: "item", text: "Catalogue of blocks" }]),
    lately.length > 0 &&
      links(
        "Recently opened",
        lately.slice(0, 6).map((r) => ({ path: r.path, drawing: "file", text: r.title || r.path.split("/").at(-1) })),
      ),
  ];
  if (home.collection) return showCollection(page, "", home.collection, { extra, below: more });
  if (!home.roots.length) {
    replace(page.target, h("div", { class: "home-empty" }, h("h1", {}, "pakbox"), more, extra));
    return;
  }
  const tiles = makeTiles(page.signal, { label: "Here" }),
    title = h("h1", {}, alone ? alone.name : "Here");
  replace(
    page.target,
    h(
      "div",
      { class: "browse" },
      makeSide(extra),
      h("div", {}, h("div", { class: "browse-head" }, title), tiles.element, more),
    ),
  );
  const files =
    alone?.kind === "folder"
      ? (await page.ask("children", { path: alone.name })).children.map((c) => ({
          ...c,
          path: alone.name + "/" + c.name,
        }))
      : home.roots.map((r) => ({ path: r.name, name: r.name, kind: r.kind }));
  if (home.gathering) gathered(page, title);
  files.sort((a, b) => (a.kind === "folder" ? 0 : 1) - (b.kind === "folder" ? 0 : 1));
  title.append(h("span", { class: "note" }, filesIn(files)));
  tiles.add(files.slice(0, atOnce));
  if (files.length > atOnce)
    tiles.element.after(h("p", {}, h("a", { href: address.of(alone.name) }, `All: ${filesIn(files)}`)));
}

// gathered shows the gallery as soon as pakbox has read all files.
async function gathered(page, title) {
  const note = h("span", { class: "note", role: "status" }, "Reading all files for the gallery…");
  title.after(note);
  for (let still = true; still; ) {
    await new Promise((resolve) => setTimeout(resolve, between));
    if (page.signal.aborted) return;
    const home = await page.ask("home").catch(() => ({}));
    if (home.collection && !page.signal.aborted) return void show(page);
    still = home.gathering;
  }
  note.remove();
}

const between = 1000; // milliseconds between two questions whether all files are read

// atOnce is the number of files of a folder that home shows.
const atOnce = 60;

// links is a group of links in the side column.
function links(title, list) {
  return h(
    "nav",
    { "aria-label": title },
    h("h2", {}, title),
    h(
      "ul",
      { class: "side-list" },
      list.map(({ path, href = address.of(path), drawing, text }) =>
        h(
          "li",
          {},
          h("a", { class: "facet", href, title: path }, icon(drawing, 16), h("span", { class: "facet-name" }, text)),
        ),
      ),
    ),
  );
}
