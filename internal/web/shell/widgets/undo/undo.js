// What was changed last, with a button that takes it back. It stays until the next
// change.

import { h, replace } from "../../lib/dom.js";
import { change } from "../../lib/api.js";
import * as address from "../../lib/address.js";

const titles = { "map.rename": "Name", "map.medals": "Medals", "map.thumbnail": "Thumbnail", "map.items": "Items", "map.meta": "Metadata", "set": "Value" };

// titleOf is what a change is called on the page.
export function titleOf(what) { return titles[what] || what; }

// takeBack undoes a change and has the page drawn anew.
export async function takeBack(path, id) {
  await change("undo", { path, id });
  window.dispatchEvent(new CustomEvent("pakbox-changed"));
}

// showUndo shows the bar for a change that was just made.
export function showUndo({ path, what, id, kept }) {
  const room = document.getElementById("undo"), trouble = h("span", { class: "bad" });
  const undo = h("button", { type: "button", onclick: async () => {
    undo.disabled = true;
    try {
      await takeBack(path, id);
      replace(room, bar(h("span", {}, `${titleOf(what)} of ${nameOf(path)}: taken back`)));
    } catch (error) {
      undo.disabled = false;
      trouble.textContent = error.message;
    }
  } }, "Undo");
  replace(room, bar(h("span", {}, `${titleOf(what)} of ${nameOf(path)} changed.`, kept ? " The old file is kept beside it." : ""), undo, trouble));
}

function bar(...parts) {
  return h("div", { class: "notice", role: "status" }, parts, h("a", { href: address.view("changes") }, "All changes"),
    h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => document.getElementById("undo").replaceChildren() }, "✕"));
}

const nameOf = (path) => path.split("/").at(-1);
