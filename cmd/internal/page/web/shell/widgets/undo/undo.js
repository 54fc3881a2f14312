// The last change, with a button that undoes it. It stays until the next change.

import { h, replace } from "../../lib/dom.js";
import { change } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { onKey } from "../keys/keys.js";

onKey("Ctrl-Z", "undo the last change", () => document.querySelector("#undo .undo-button:not(:disabled)")?.click());

const titles = {
  "map.rename": "Name",
  "map.medals.set": "Medals",
  "map.thumbnail.set": "Thumbnail",
  "map.items.change": "Items",
  "map.meta.set": "Metadata",
  set: "Value",
};

// titleOf is the title of a change on the page.
export function titleOf(what) {
  return titles[what] || what;
}

// takeBack undoes changes and redraws the page.
export async function takeBack(...changes) {
  for (const { path, id } of changes) await change("undo", { path, id });
  window.dispatchEvent(new CustomEvent("pakbox-changed"));
}

// showUndo shows the bar for a new change, or for several changes with a text of their own.
export function showUndo({ path, what, id, kept, text, changes = [{ path, id }] }) {
  const about = changes.length > 1 ? count(changes.length, "change") : `${titleOf(what)} of ${nameOf(path)}`;
  const room = document.getElementById("undo"),
    trouble = h("span", { class: "bad" });
  const undo = h(
    "button",
    {
      type: "button",
      class: "undo-button",
      onclick: async () => {
        undo.disabled = true;
        try {
          await takeBack(...changes);
          replace(room, bar(h("span", {}, about + ": taken back")));
        } catch (error) {
          undo.disabled = false;
          trouble.textContent = error.message;
        }
      },
    },
    "Undo",
  );
  replace(
    room,
    bar(
      h(
        "span",
        {},
        text ?? about + " changed.",
        kept ? ` The old ${changes.length > 1 ? "files are kept beside them" : "file is kept beside it"}.` : "",
      ),
      undo,
      trouble,
    ),
  );
}

function bar(...parts) {
  return h(
    "div",
    { class: "notice", role: "status" },
    parts,
    h("a", { href: address.view("changes") }, "All changes"),
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": "Close",
        onclick: () => document.getElementById("undo").replaceChildren(),
      },
      "✕",
    ),
  );
}

const nameOf = (path) => path.split("/").at(-1);
