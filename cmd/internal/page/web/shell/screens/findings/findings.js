// Inconsistencies in a pakset, as `simutrans check` finds them.

import { h, replace } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { makeList } from "../../widgets/list/list.js";

export const whole = true;

const ranks = { error: 0, warning: 1, note: 2 },
  classes = { error: "bad", warning: "warning", note: "note" };

export async function show(page) {
  page.command("pakbox simutrans check " + page.what.shell_path);
  replace(page.target, h("p", { class: "note over-list", role: "status" }, "Reading all objects…"));
  const answer = await page.ask("simutrans.check", { path: page.path });
  const told = [
    count(answer.objects, "object"),
    count(answer.errors, "error"),
    count(answer.warnings, "warning"),
    count(answer.notes, "note"),
  ].join(", ");
  const rules = [...new Set(answer.findings.map((f) => f.rule))].sort();
  const list = makeList({
    label: "Findings",
    columns: [
      {
        title: "Severity",
        cell: (f) => h("span", { class: classes[f.severity] }, f.severity),
        sort: (f) => ranks[f.severity],
        width: "10ch",
      },
      { title: "Rule", cell: (f) => f.rule, sort: (f) => f.rule, width: "12ch" },
      {
        title: "Object",
        cell: (f) => f.entry || f.file.split("/").at(-1),
        sort: (f) => f.entry || "",
        width: "minmax(18ch, 1fr)",
      },
      {
        title: "Finding",
        cell: (f) =>
          h(
            "span",
            { title: f.message },
            f.message,
            f.suggestion && h("span", { class: "note" }, " – " + f.suggestion),
          ),
        width: "minmax(24ch, 3fr)",
      },
    ],
    sorted: { column: 0, down: false },
    open: (f) => {
      if (f.file) location.hash = address.of(f.file);
    },
  });
  list.rows(answer.findings);
  const filter = () => {
    const words = search.value.toLowerCase();
    list.filter(
      (f) =>
        (!rule.value || f.rule === rule.value) && (!words || `${f.entry} ${f.message}`.toLowerCase().includes(words)),
    );
    page.status(`${list.shown().length} of ${answer.findings.length}`);
  };
  const rule = h(
    "select",
    { "aria-label": "Rule", onchange: filter },
    h("option", { value: "" }, "All rules"),
    rules.map((r) => h("option", { value: r }, r)),
  );
  const search = h("input", {
    type: "search",
    "data-search": "",
    class: "grow",
    placeholder: "filter",
    "aria-label": "Filter findings",
    oninput: filter,
  });
  replace(
    page.target,
    h("div", { class: "bar over-list" }, h("strong", { class: answer.errors ? "bad" : "good" }, told), rule, search),
    h(
      "div",
      { class: "list-room" },
      answer.findings.length ? list.element : h("p", { class: "good" }, "No problems found."),
    ),
  );
  filter();
}
