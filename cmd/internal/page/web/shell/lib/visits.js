// The entries of the browser's history. Each visit keeps where the user was, so that Back
// and Forward lead there again: scroll positions, the focused element, and what screens note
// in its memory. A reload of the page forgets it.

import { scrolled } from "./scroll.js";

const visits = new Map(); // key -> {memory, back}
let now = null; // the key of the entry on screen

const loaded = Date.now(); // keys of an earlier load of the page have another number
const newKey = () => `${loaded}.${visits.size}`;

// arrive enters the entry of the present address. It returns its memory, and back, which
// restores scroll positions and focus if the entry was left before.
export function arrive() {
  now = history.state?.visit ?? null;
  if (now === null || !visits.has(now)) {
    now ??= newKey();
    visits.set(now, { memory: {}, back: null });
    history.replaceState({ visit: now }, "");
  }
  return visits.get(now);
}

// leave notes the scroll positions and the focus below an element for the entry on screen.
export function leave(root) {
  if (now === null) return;
  const scroll = scrolled(root),
    name = nameOf(document.activeElement, root);
  visits.get(now).back = (patient) => {
    scroll(patient);
    if (name) root.querySelector(name)?.focus({ preventScroll: true });
  };
}

// step adds an entry for another address of the same screen, which is not drawn again.
export function step(root, hash) {
  leave(root);
  now = newKey();
  visits.set(now, { memory: {}, back: null });
  history.pushState({ visit: now }, "", hash);
}

// nameOf is a selector of a focused element: links by their address, other elements by
// their label.
function nameOf(element, root) {
  if (!element || element === root || !root.contains(element)) return "";
  for (const name of ["id", "href", "data-word", "aria-label"]) {
    const value = element.getAttribute(name);
    if (value) return `${element.localName}[${name}="${CSS.escape(value)}"]`;
  }
  return "";
}
