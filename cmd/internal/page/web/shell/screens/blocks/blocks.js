// Every block and item of a map in a table, as `map blocks` lists them.

import { h, replace } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { makeList } from "../../widgets/list/list.js";

export const whole = true;

export async function show(page) {
  page.command("pakbox map blocks --items --csv " + page.what.shell_path);
  const answer = await page.ask("map.blocks", { path: page.path, items: "true" });
  const rows = answer.blocks.concat(answer.items || []).map((b, i) => ({ ...b, i }));
  const list = makeList({
    label: "Blocks and items",
    columns: [
      { title: "Name", cell: (b) => b.name, sort: (b) => b.name.toLowerCase(), width: "minmax(18ch, 2fr)" },
      { title: "Kind", cell: (b) => b.kind, sort: (b) => b.kind, width: "8ch" },
      {
        title: "Where",
        cell: (b) => place(b),
        sort: (b) => (b.coord || b.position || [0])[0],
        width: "minmax(14ch, 1fr)",
      },
      {
        title: "Height",
        cell: (b) => String((b.coord || b.position || [0, 0])[1]),
        sort: (b) => (b.coord || b.position || [0, 0])[1],
        number: true,
        width: "9ch",
      },
      { title: "Facing", cell: (b) => b.direction ?? "", sort: (b) => b.direction, width: "8ch" },
      {
        title: "Role",
        cell: (b) =>
          [b.waypoint, b.ghost && "ghost", b.ground && "ground", b.skin && "skin"].filter(Boolean).join(", "),
        sort: (b) => b.waypoint || "",
        width: "minmax(10ch, 1fr)",
      },
    ],
  });
  list.rows(rows);
  page.actions(h("a", { class: "tabs-aside", href: address.view("catalogue") }, "Catalogue of blocks"));
  const search = h("input", {
    type: "search",
    "data-search": "",
    placeholder: "filter",
    "aria-label": "Filter by name",
    class: "grow",
    value: page.query.q || "",
    oninput: () => {
      address.change({ q: search.value }, { quiet: true });
      filter();
    },
  });
  function filter() {
    const word = search.value.toLowerCase();
    list.filter(
      word ? (b) => b.name.toLowerCase().includes(word) || (b.waypoint || "").toLowerCase().includes(word) : null,
    );
    page.status(`${list.shown().length} of ${rows.length}`);
  }
  replace(page.target, h("div", { class: "bar over-list" }, search), h("div", { class: "list-room" }, list.element));
  filter();
}

function place(b) {
  if (b.coord) return `${b.coord[0]}, ${b.coord[2]}`;
  return b.position ? `${b.position[0].toFixed(1)}, ${b.position[2].toFixed(1)} m` : "";
}
