// The rows of an answer, as tiles or as a table.

import { h } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { makeList } from "../list/list.js";
import { makeGallery } from "../gallery/gallery.js";

// beginning is the number of files that are requested before the user wants more.
export const beginning = 120;

// galleryOf shows files as tiles, as many as before if the user comes back; rest requests
// the rows that the table does not have yet.
export function galleryOf(table, { signal, memory }, rest) {
  const gallery = makeGallery(table, signal, table.rows.length > beginning ? 2 * beginning : undefined);
  for (let i = memory.more ?? 0; i > 0 && gallery.left(); i--) gallery.more();
  const more = h(
    "button",
    {
      type: "button",
      class: "collection-more",
      hidden: !gallery.left() && !rest,
      onclick: () => {
        if (!gallery.left()) return rest();
        memory.more = (memory.more ?? 0) + 1;
        more.hidden = !gallery.more() && !rest;
      },
    },
    "Show more",
  );
  return [gallery.element, more];
}

// listOf shows a table; a served file has a link. Columns without a value are
// omitted.
export function listOf(table, files) {
  const filled = table.columns.map((_, i) => i).filter((i) => table.texts.some((row) => row[i] !== ""));
  const path = table.columns.indexOf("path"),
    name = filled.includes(table.columns.indexOf("name")) ? table.columns.indexOf("name") : path;
  const end = ["author_time", "time", "size"].map((n) => table.columns.indexOf(n)).find((i) => filled.includes(i)),
    under = ["author", "kind"].map((n) => table.columns.indexOf(n)).find((i) => filled.includes(i));
  const list = makeList({
    label: "Answer",
    columns: filled.map((i) => ({
      title: table.columns[i],
      phone: files ? { [name]: "title", [under]: "under", [end]: "end" }[i] : null,
      cell: (r) =>
        table.texts[r][i] ||
        (files && i === name ? h("span", { class: "note" }, table.texts[r][path].split("/").at(-1)) : ""),
      sort: (r) => table.rows[r][i],
      number: table.rows.every((row) => row[i] === null || typeof row[i] === "number"),
      width: i === path ? "minmax(24ch, 3fr)" : "minmax(9ch, 1fr)",
    })),
    href: (r) => (table.paths[r] ? address.of(table.paths[r]) : null),
  });
  list.rows(table.rows.map((_, r) => r));
  return list.element;
}
