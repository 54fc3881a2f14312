// Two files compared: by value where both can be taken apart, else entry by
// entry.

import { h, replace } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { makeList } from "../../widgets/list/list.js";

export const whole = true;

export async function show(page) {
  const { a, b } = page.query;
  const boxA = h("input", { type: "text", class: "grow", "aria-label": "First file", placeholder: "first file", value: a || "" });
  const boxB = h("input", { type: "text", class: "grow", "aria-label": "Second file", placeholder: "second file", value: b || "" });
  const form = h("form", { class: "bar over-list", onsubmit: (event) => {
    event.preventDefault();
    address.change({ a: boxA.value, b: boxB.value });
  } }, boxA, boxB, h("button", { class: "main" }, "Compare"));
  replace(page.target, form);
  if (!a || !b) return;
  const answer = await page.ask("diff", { a, b });
  page.command(answer.command);
  const rows = answer.values || answer.changes || [];
  const list = makeList({
    label: "Differences",
    columns: [
      { title: "What", cell: (r) => r.path || r.name, sort: (r) => r.path || r.name, width: "minmax(20ch, 2fr)" },
      { title: "How", cell: (r) => r.change, sort: (r) => r.change, width: "10ch" },
      { title: "Before", cell: (r) => r.old ?? "", width: "minmax(12ch, 2fr)" },
      { title: "After", cell: (r) => r.new ?? "", width: "minmax(12ch, 2fr)" },
    ],
  });
  list.rows(rows);
  const box = h("div", { class: "list-room" });
  box.append(rows.length ? list.element : h("p", { class: "good" }, answer.same ? "The two are the same." : "No values differ."));
  page.target.append(box);
  page.status(rows.length + " differences");
}
