// The collection: files of an index, found as one types, or asked for in SQL.

import { h, replace, styles } from "../../lib/dom.js";
import { saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, shell } from "../../lib/format.js";
import { split, toggle, command } from "../../lib/words.js";
import { makeList } from "../../widgets/list/list.js";
import { makeFacets } from "../../widgets/facets/facets.js";
import { makeGallery } from "../../widgets/gallery/gallery.js";
import { keepSearches, searches } from "../../lib/searches.js";

await styles(new URL("./collection.css", import.meta.url));

export const whole = true;

export async function show(page) {
  // The index is the file of this page, or the one that pakbox was started with.
  const at = page.path || page.query.index || "";
  const { index, files } = await page.ask("collection", { index: at });
  const room = h("div", { class: "collection-room" }), trouble = h("div", { role: "status", class: "collection" }), save = h("span", {});
  const facets = makeFacets((word) => { search.value = toggle(search.value, word); find(); });
  const facetsRoom = h("div", { class: "collection-facets" }, facets.element);
  const search = h("input", { type: "search", "data-search": "", class: "grow", placeholder: "name, author, env=Stadium, author<0:30 …", "aria-label": "Search the collection", value: page.query.q || "" });
  const sql = h("textarea", { class: "grow mono", rows: 3, "aria-label": "Question in SQL", placeholder: "select name, path from maps join files using (file) order by medals_author limit 20", spellcheck: "false" }, page.query.sql || "");
  const view = h("select", { "aria-label": "View", onchange: () => { address.change({ view: view.value }, { quiet: true }); draw(); } },
    [["pictures", "Pictures"], ["table", "Table"]].map(([v, t]) => h("option", { value: v, selected: v === page.query.view }, t)));
  let turn = 0, wait, table = null, inWords = true;

  function draw() {
    if (!table.rows.length) replace(room, h("p", { class: "note" }, "Nothing fits."));
    else if (inWords && view.value === "pictures") replace(room, galleryOf(table, page.signal));
    else replace(room, listOf(table));
  }

  // answer shows the rows of a question; an older one that comes late is left.
  async function answer(name, parameters) {
    const mine = ++turn;
    const narrowing = name === "find" ? page.ask("facets", { index: at, ...parameters }) : null;
    narrowing?.catch(() => {}); // what is wrong with the question is told once
    try {
      const got = await page.ask(name, { index: at, ...parameters });
      if (mine !== turn) return;
      table = got;
      inWords = name === "find";
      view.disabled = !inWords;
      facetsRoom.hidden = !inWords;
      replace(trouble, null);
      replace(save, saveLink("Save as CSV", name + ".csv", { index: at, ...parameters }, "pakbox.csv"));
      draw();
      page.status((got.cut ? "the first " : "") + count(got.rows.length, inWords ? "file" : "row"));
      const narrow = await narrowing;
      if (narrow && mine === turn) facets.show(narrow.facets, search.value);
    } catch (error) {
      if (mine === turn && !page.signal.aborted) replace(trouble, h("div", { class: "error" }, error.message, (error.hints || []).map((t) => h("div", { class: "note" }, t))));
    }
  }
  function find() {
    address.change({ q: search.value, sql: null }, { quiet: true });
    page.command(command(index, search.value));
    return answer("find", { q: split(search.value) });
  }
  function ask() {
    address.change({ sql: sql.value, q: null }, { quiet: true });
    page.command(`pakbox sql ${shell(index)} ${shell(sql.value)}`);
    return answer("sql", { q: sql.value });
  }
  // saved are the searches that somebody wants to have again.
  const saved = h("ul", { class: "chips over-list", "aria-label": "Saved searches" });
  function drawSaved() {
    const list = searches(index);
    saved.hidden = !list.length;
    replace(saved, list.map((one) => h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => {
      if (one.sql) { sql.value = one.sql; ask(); } else { search.value = one.q; find(); }
    } }, one.q || one.sql), h("button", { type: "button", class: "quiet", "aria-label": "Forget " + (one.q || one.sql), onclick: () => {
      keepSearches(index, list.filter((o) => o !== one));
      drawSaved();
    } }, "✕"))));
  }
  const keep = h("button", { type: "button", onclick: () => {
    const one = inWords ? { q: search.value.trim() } : { sql: sql.value.trim() };
    if (!one.q && !one.sql) return;
    keepSearches(index, [one, ...searches(index).filter((o) => o.q !== one.q || o.sql !== one.sql)]);
    drawSaved();
  } }, "Keep this search");
  search.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(find, 150); });
  drawSaved();
  replace(page.target,
    h("div", { class: "over-list" }, h("h1", {}, "Collection of " + count(files, "file"))),
    h("div", { class: "bar over-list" }, search, view, keep, save),
    saved,
    facetsRoom,
    h("details", { class: "collection-sql", open: Boolean(page.query.sql) }, h("summary", {}, "Ask in SQL"),
      h("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); ask(); } }, sql, h("button", {}, "Ask"))),
    trouble, room);
  await (page.query.sql ? ask() : find());
}

function galleryOf(table, signal) {
  const gallery = makeGallery(table, signal);
  const more = h("button", { type: "button", class: "collection-more", hidden: !gallery.left(), onclick: () => { more.hidden = !gallery.more(); } }, "Show more");
  return [gallery.element, more];
}

// listOf shows a table; a file that is served has a link. Columns that say
// nothing are left out.
function listOf(table) {
  const said = table.columns.map((_, i) => i).filter((i) => table.texts.some((row) => row[i] !== ""));
  const path = table.columns.indexOf("path");
  const list = makeList({
    label: "Answer",
    columns: said.map((i) => ({
      title: table.columns[i], cell: (r) => table.texts[r][i], sort: (r) => table.rows[r][i],
      number: table.rows.every((row) => row[i] === null || typeof row[i] === "number"), width: i === path ? "minmax(24ch, 3fr)" : "minmax(9ch, 1fr)",
    })),
    href: (r) => (table.paths[r] ? address.of(table.paths[r]) : null),
  });
  list.rows(table.rows.map((_, r) => r));
  return list.element;
}
