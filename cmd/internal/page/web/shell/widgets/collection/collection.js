// The files of an index, found while the user types, or with SQL.

import { h, replace, styles } from "../../lib/dom.js";
import { saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, shell } from "../../lib/format.js";
import { keep, kept } from "../../lib/keep.js";
import { split, toggle, command } from "../../lib/words.js";
import { makeFacets } from "../facets/facets.js";
import { keepSearches, searches } from "../../lib/searches.js";
import { makeSide, makeViews } from "../side/side.js";
import { orders, sorted } from "./orders.js";
import { beginning, galleryOf, listOf } from "./rows.js";

await styles(new URL("./collection.css", import.meta.url));

// showCollection shows an index; extra stands above the facets.
export async function showCollection(page, at, { index, files }, { title = "Collection", extra, below } = {}) {
  const room = h("div", { class: "collection-room" }),
    trouble = h("div", { role: "status" }),
    save = h("span", {}),
    found = h("span", { class: "note" }, count(files, "file"));
  const facets = makeFacets((word) => {
    search.value = toggle(search.value, word);
    find({ drawn: true });
  });
  const search = h("input", {
    type: "search",
    "data-search": "",
    class: "browse-search",
    placeholder: "Name, author, map, env=Stadium, author<0:30 …",
    "aria-label": "Search the collection",
    value: page.query.q || "",
  });
  const sql = h(
    "textarea",
    {
      class: "grow mono",
      rows: 3,
      "aria-label": "Question in SQL",
      placeholder: "select name, path from maps join files using (file) order by medals_author limit 20",
      spellcheck: "false",
    },
    page.query.sql || "",
  );
  const order = h(
    "select",
    {
      "aria-label": "Order",
      onchange: () => {
        keep("collection.order", order.value);
        draw();
      },
    },
    Object.entries(orders).map(([name, [words]]) =>
      h("option", { value: name, selected: name === kept("collection.order", "kind") }, words),
    ),
  );
  let view = page.query.view || kept("collection.view", "tiles");
  const views = makeViews(view, (name) => {
    view = name;
    keep("collection.view", name);
    address.change({ view: name }, { quiet: true });
    draw();
  });
  let turn = 0,
    wait,
    table = null,
    inWords = true;

  // begun reports whether the first rows are enough, as when the screen opens.
  const begun = () => view !== "table" && order.value === "kind" && !search.value.trim();
  function draw() {
    if (table.begun && !begun()) return find();
    room.className = "collection-room";
    if (!table.rows.length) replace(room, nothing());
    else if (inWords && view !== "table")
      replace(room, galleryOf(sorted(table, order.value), page, table.begun && (() => find({ whole: true }))));
    else {
      room.classList.add("list-room");
      replace(room, listOf(table, inWords));
    }
  }
  function nothing() {
    return h(
      "div",
      { class: "nothing" },
      h("h2", {}, inWords && search.value ? `Nothing found for “${search.value}”` : "Nothing found"),
      h("p", { class: "note" }, `${count(files, "file")} searched.`),
      inWords &&
        search.value &&
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              search.value = "";
              find();
            },
          },
          "Clear the search",
        ),
    );
  }

  // answer shows the rows of an answer; it drops an older answer that arrives late.
  async function answer(name, parameters) {
    const mine = ++turn;
    const narrowing = name === "find" ? page.ask("facets", { index: at, ...parameters }) : null;
    narrowing?.catch(() => {}); // the list reports an error of the question already
    try {
      const got = await page.ask(name, { index: at, ...parameters });
      if (mine !== turn) return;
      table = got;
      table.begun = got.cut && parameters.most === beginning;
      inWords = name === "find";
      views.hidden = order.hidden = !inWords;
      facets.element.hidden = !inWords;
      replace(trouble, null);
      replace(save, saveLink("Save as CSV", name + ".csv", { index: at, ...parameters }, "pakbox.csv"));
      draw();
      const shown = count(got.rows.length, inWords ? "file" : "row");
      replace(found, !got.cut ? shown : inWords && !search.value.trim() ? count(files, "file") : "more than " + shown);
      page.status(table.begun ? count(files, "file") : (got.cut ? "the first " : "") + shown);
      const narrow = await narrowing;
      if (narrow && mine === turn) facets.show(narrow.facets, search.value);
    } catch (error) {
      if (mine === turn && !page.signal.aborted)
        replace(
          trouble,
          h(
            "div",
            { class: "error" },
            error.message,
            (error.hints || []).map((t) => h("div", { class: "note" }, t)),
          ),
        );
    }
  }
  function find({ whole = page.memory.whole, drawn = false } = {}) {
    clearTimeout(wait);
    address.change({ q: search.value, sql: null }, drawn ? { drawn } : { quiet: true });
    page.memory.whole = whole;
    page.command(command(index, search.value));
    return answer("find", { q: split(search.value), most: !whole && begun() ? beginning : null });
  }
  function ask() {
    address.change({ sql: sql.value, q: null }, { quiet: true });
    page.command(`pakbox sql ${shell(index)} ${shell(sql.value)}`);
    return answer("sql", { q: sql.value });
  }
  // saved are the user's saved searches.
  const saved = h("ul", { class: "chips saved", "aria-label": "Saved searches" });
  function drawSaved() {
    const list = searches(index);
    saved.hidden = !list.length;
    replace(
      saved,
      list.map((one) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "quiet",
              onclick: () => {
                if (one.sql) {
                  sql.value = one.sql;
                  ask();
                } else {
                  search.value = one.q;
                  find();
                }
              },
            },
            one.q || one.sql,
          ),
          h(
            "button",
            {
              type: "button",
              class: "quiet",
              "aria-label": "Forget " + (one.q || one.sql),
              onclick: () => {
                keepSearches(
                  index,
                  list.filter((o) => o !== one),
                );
                drawSaved();
              },
            },
            "✕",
          ),
        ),
      ),
    );
  }
  const keepThis = h(
    "button",
    {
      type: "button",
      onclick: () => {
        const one = inWords ? { q: search.value.trim() } : { sql: sql.value.trim() };
        if (!one.q && !one.sql) return;
        keepSearches(index, [one, ...searches(index).filter((o) => o.q !== one.q || o.sql !== one.sql)]);
        drawSaved();
      },
    },
    "Keep this search",
  );
  // Text that was typed last must not filter the next page. The next address may be set
  // before this page is ended.
  const here = location.hash.split("?")[0],
    left = () => page.signal.aborted || location.hash.split("?")[0] !== here;
  search.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(() => left() || find(), 150);
  });
  drawSaved();
  replace(
    page.target,
    h(
      "div",
      { class: "browse" },
      makeSide(extra, facets.element),
      h(
        "div",
        {},
        h("div", { class: "browse-head" }, h("h1", {}, title, found), search, order, views),
        saved,
        h(
          "details",
          { class: "collection-tools", open: Boolean(page.query.sql) },
          h("summary", {}, "Saved searches, CSV and SQL"),
          h("div", { class: "bar" }, keepThis, save),
          h(
            "form",
            {
              class: "bar collection-sql",
              onsubmit: (event) => {
                event.preventDefault();
                ask();
              },
            },
            sql,
            h("button", {}, "Ask"),
          ),
        ),
        trouble,
        room,
        below,
      ),
    ),
  );
  await (page.query.sql ? ask() : find());
}
