// Keys that work on every screen, and the list of keys.

import { h } from "../../lib/dom.js";

const keys = [];

// onKey calls act when the user presses a key outside of a text field. Ctrl-K is a key too.
export function onKey(key, what, act) {
  keys.push({ key, what, act });
}

window.addEventListener("keydown", (event) => {
  const control = event.ctrlKey || event.metaKey,
    typing = event.target.closest("input, textarea, select");
  if (event.altKey || event.target.closest("dialog[open]") || (typing && !(control && event.key === "k"))) return;
  const name = control ? "Ctrl-" + event.key.toUpperCase() : event.key;
  const found = keys.find((k) => k.key === name);
  if (found) {
    event.preventDefault();
    found.act();
  }
});

// more are the keys of widgets, which handle them themselves.
const more = [
  ["↑ ↓ ← →", "move in a list, a tree or the bytes; open and close"],
  ["*", "in a tree: open all at this level"],
  ["Enter", "open"],
  ["Space", "on a tile: choose the file; with Shift, all from the last chosen one"],
  ["Home End PgUp PgDn", "scroll by page, to the start or to the end"],
  ["letters", "in a list of files: go to the name with this beginning"],
  ["drag, wheel, W A S D", "in 3D: rotate, zoom, fly"],
  ["Space", "in a replay: play, pause"],
];

// showKeys shows the list.
export function showKeys() {
  const dialog = h(
    "dialog",
    { "aria-label": "Keys", onclose: () => dialog.remove() },
    h("h1", {}, "Keys"),
    h(
      "dl",
      { class: "facts" },
      keys.map((k) => [h("dt", {}, h("kbd", {}, k.key)), h("dd", {}, k.what)]),
      more.map(([key, what]) => [h("dt", {}, key), h("dd", {}, what)]),
    ),
    h("form", { method: "dialog" }, h("button", { class: "main" }, "Close")),
  );
  document.body.append(dialog);
  dialog.showModal();
}
