// What is wrong, in pakbox's words: the sentence, advice, and small the kind of error.

import { h } from "../../lib/dom.js";

// makeError shows an error, or what an answer says of one.
export function makeError({ kind, message, entry, hints }) {
  return h("div", { class: "error", role: "alert" },
    h("div", { class: "error-words" }, sentence(message)),
    entry && h("div", { class: "note" }, "in " + entry),
    (hints || []).map((text) => h("div", { class: "note" }, text)),
    kind && h("div", { class: "kind" }, kind));
}

// sentence begins a message with a capital letter, unless it begins with a name.
function sentence(message) {
  return /^[a-z]+ /.test(message) ? message[0].toUpperCase() + message.slice(1) : message;
}
