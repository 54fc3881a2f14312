// What is wrong, in pakbox's words: the kind of error, the sentence, and advice.

import { h } from "../../lib/dom.js";

// makeError shows an error, or what an answer says of one.
export function makeError({ kind, message, entry, hints }) {
  return h("div", { class: "error", role: "alert" },
    h("div", { class: "kind" }, kind || "page"),
    h("div", {}, message),
    entry && h("div", { class: "note" }, "in " + entry),
    (hints || []).map((text) => h("div", { class: "note" }, text)));
}
