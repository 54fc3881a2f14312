// Facts about a file, as `pakbox info` prints them.

import { h } from "../../lib/dom.js";
import { spans } from "../../lib/format.js";

// makeCard shows lines of {label, text, spans}: what the file is first, how it is
// stored folded away behind it. Facts that the screen shows elsewhere are left out.
export function makeCard(lines, { without = [], folded = "Storage" } = {}) {
  const rest = lines.filter((line) => !without.includes(line.name));
  const storage = rest.filter((line) => line.storage),
    facts = rest.filter((line) => !line.storage);
  if (!facts.length) return list(storage);
  return h(
    "div",
    { class: "card" },
    list(facts),
    storage.length > 0 && h("details", { class: "storage" }, h("summary", {}, folded), list(storage)),
  );
}

function list(lines) {
  return h(
    "dl",
    { class: "facts" },
    lines.map((line) => [h("dt", {}, line.label), h("dd", {}, line.spans ? spans(line.spans) : line.text)]),
  );
}
