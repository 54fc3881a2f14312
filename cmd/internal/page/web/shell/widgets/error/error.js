// An error as pakbox reports it: the message, hints, and the kind of error in small type.

import { h } from "../../lib/dom.js";

// makeError shows an error, or the error in an answer.
export function makeError({ kind, message, entry, hints }, { alert = true, heading = "div" } = {}) {
  const title = titleOf(kind);
  return h(
    "div",
    { class: "error", role: alert ? "alert" : null },
    title && h(heading, { class: "error-words" }, title),
    h(title ? "div" : heading, { class: title ? "" : "error-words" }, sentence(message)),
    entry && h("div", { class: "note" }, "in " + entry),
    (hints || []).map((text) => h("div", { class: "note" }, text)),
    kind && h("div", { class: "kind" }, kind),
  );
}

// titleOf is the title for a kind of error.
export function titleOf(kind) {
  return titles[kind];
}

const titles = {
  truncated: "This file is cut off: its end is missing.",
  corrupt: "This file is damaged.",
  decompress_failed: "This file is damaged: its content cannot be unpacked.",
  hash_mismatch: "This file is damaged: a checksum does not fit.",
  table_corrupt: "This file is damaged: its list of contents cannot be read.",
  bad_header: "This file is damaged: its header makes no sense.",
  limit_exceeded: "This is more than the page takes.",
  unsupported_version: "This file is of a version that pakbox does not know.",
  not_found: "There is nothing at this address.",
};

// sentence capitalizes a message, unless it begins with a name.
function sentence(message) {
  return /^[a-z]+ /.test(message) ? message[0].toUpperCase() + message.slice(1) : message;
}
