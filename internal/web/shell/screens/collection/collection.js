// The collection: files of an index, found as one types, or asked for in SQL.

import { h, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { makeList } from "../../widgets/list/list.js";

await styles(new URL("./collection.css", import.meta.url));

export const whole = true;

export async function show(page) {
  const room = h("div", { class: "list-room" }), facets = h("div", { class: "collection-facets bar" }), trouble = h("div", { role: "status" });
  const search = h("input", { type: "search", "data-search": "", class: "grow", placeholder: "name, author, uid, …", "aria-label": "Search the collection", value: page.query.q || "" });
  const sql = h("textarea", { class: "grow mono", rows: 2, "aria-label": "Question in SQL", placeholder: "select name, author from maps order by author_time limit 20", spellcheck: "false" }, page.query.sql || "");
  const save = h("button", { type: "button", onclick: () => download(table) }, "Save as CSV");
  let turn = 0, wait, table = null;

  // answer shows the rows of a question; an older one that comes late is left.
  async function answer(name, parameters) {
    const mine = ++turn;
    try {
      const got = await page.ask(name, parameters);
      if (mine !== turn) return;
      table = got;
      replace(trouble, null);
      replace(room, listOf(got));
      replace(facets, name === "find" && facetsOf(got, (text) => { search.value = (search.value + " " + text).trim(); find(); }));
      page.status(count(got.rows.length, "row") + (got.cut ? ", and more" : ""));
    } catch (error) {
      if (mine === turn && !page.signal.aborted) replace(trouble, h("div", { class: "error" }, error.message));
    }
  }
  function find() {
    address.change({ q: search.value, sql: null }, { quiet: true });
    page.command("pakbox find " + search.value);
    return answer("find", { q: search.value.split(/\s+/).filter(Boolean) });
  }
  function ask() {
    address.change({ sql: sql.value, q: null }, { quiet: true });
    page.command(`pakbox sql "${sql.value.replaceAll('"', '\\"')}"`);
    return answer("sql", { q: sql.value });
  }
  search.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(find, 150); });
  replace(page.target,
    h("div", { class: "bar over-list" }, search, save),
    h("details", { class: "collection-sql", open: Boolean(page.query.sql) }, h("summary", {}, "Ask in SQL"),
      h("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); ask(); } }, sql, h("button", {}, "Ask"))),
    facets, trouble, room);
  await (page.query.sql ? ask() : find());
}

// listOf shows a table; a path leads to its file.
function listOf(table) {
  const path = table.columns.indexOf("path");
  const list = makeList({
    label: "Answer",
    columns: table.columns.map((title, i) => ({
      title, cell: (r) => text(r[i]), sort: (r) => r[i], number: typeof table.rows[0]?.[i] === "number", width: i === path ? "minmax(24ch, 3fr)" : "minmax(9ch, 1fr)",
    })),
    href: path < 0 ? undefined : (r) => address.of(r[path]),
  });
  list.rows(table.rows);
  return list.element;
}

const text = (v) => (v === null || v === undefined ? "" : String(v));

// facetsOf counts the values of columns that have few.
function facetsOf(table, choose) {
  return table.columns.flatMap((title, i) => {
    if (!["format", "class", "environment", "collection", "game", "kind"].includes(title)) return [];
    const counts = new Map();
    for (const row of table.rows) if (row[i]) counts.set(row[i], (counts.get(row[i]) || 0) + 1);
    if (counts.size < 2) return [];
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 8).map(([value, n]) =>
      h("button", { type: "button", class: "quiet", title, onclick: () => choose(`${title}=${value}`) }, `${value} ${n}`));
  });
}

// download saves the rows in sight as CSV.
function download(table) {
  if (!table) return;
  const cell = (v) => (/[",\n\r]/.test(text(v)) ? '"' + text(v).replaceAll('"', '""') + '"' : text(v));
  const lines = [table.columns, ...table.rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
  const url = URL.createObjectURL(new Blob([lines], { type: "text/csv" }));
  h("a", { href: url, download: "pakbox.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
