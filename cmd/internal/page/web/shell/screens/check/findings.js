// The table of findings, for verify, lint and check.

import { h } from "../../lib/dom.js";
import { hex } from "../../lib/format.js";

const classes = { error: "bad", warning: "warning", note: "note" };

export function makeFindings(list) {
  return h(
    "table",
    { class: "plain" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["Severity", "Rule", "Where", "Finding"].map((t) => h("th", { scope: "col" }, t)),
      ),
    ),
    h(
      "tbody",
      {},
      list
        .slice(0, 500)
        .map((f) =>
          h(
            "tr",
            {},
            h("td", { class: classes[f.severity] || "" }, f.severity),
            h("td", { class: "mono" }, f.rule),
            h(
              "td",
              {},
              [
                f.file,
                f.entry,
                f.line && "line " + f.line,
                f.offset !== null && f.offset !== undefined && hex(f.offset),
              ]
                .filter(Boolean)
                .join(", "),
            ),
            h("td", {}, f.message, f.suggestion && h("div", { class: "note" }, f.suggestion)),
          ),
        ),
    ),
    list.length > 500 && h("caption", {}, `the first 500 of ${list.length}`),
  );
}
