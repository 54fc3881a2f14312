// The verdicts of `replay check`.

import { h } from "../../lib/dom.js";
import { count } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";

const verdictLooks = { ok: ["good", "check"], suspect: ["bad", "warning"], unknown: ["note", "unknown"] };

export function verdictsOf(answer) {
  const all = (answer.verdicts ?? []).concat(
    answer.ghosts.flatMap((g) => g.verdicts.map((v) => ({ ...v, ghost: g.ghost }))),
  );
  const known = all.filter((v) => v.state !== "unknown"),
    bad = all.filter((v) => v.state === "suspect"),
    good = all.filter((v) => v.state === "ok");
  const row = (v) => {
    const [look, drawing] = verdictLooks[v.state] || ["warning", "warning"];
    return h(
      "li",
      {},
      h("span", { class: look }, icon(drawing, 16)),
      h("span", { title: v.question }, v.detail[0].toUpperCase() + v.detail.slice(1)),
    );
  };
  const shown = [...bad, ...good].slice(0, 4),
    rest = all.filter((v) => !shown.includes(v));
  return [
    h(
      "h2",
      {},
      h("span", { class: answer.suspect ? "bad" : "good" }, icon(answer.suspect ? "warning" : "check", 16)),
      " ",
      answer.suspect ? "Inconsistencies found" : "No inconsistencies found",
      h("span", { class: "aside-note" }, `${good.length} of ${known.length}`),
    ),
    h("ul", { class: "replay-verdicts" }, shown.map(row)),
    rest.length > 0 &&
      h(
        "details",
        {},
        h("summary", { class: "note" }, count(rest.length, "more question")),
        h("ul", { class: "replay-verdicts" }, rest.map(row)),
      ),
    h("p", { class: "note" }, "A check of the file, not a proof of the drive."),
  ];
}
