// Facts about a file, as `pakbox info` prints them.

import { h } from "../../lib/dom.js";
import { spans } from "../../lib/format.js";

// makeCard shows lines of {label, text, spans}.
export function makeCard(lines) {
  return h("dl", { class: "facts" }, lines.map((line) => [
    h("dt", {}, line.label),
    h("dd", {}, line.spans ? spans(line.spans) : line.text),
  ]));
}
