// Facts about a file, as `pakbox info` prints them.

import { h } from "../../lib/dom.js";
import { spans } from "../../lib/format.js";

// makeCard shows lines of {label, text, spans}: the content of the file first, its
// storage in a folded part below. It omits facts that the screen shows elsewhere.
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
