// A box to type a path into, with what is there below it.

import { h, replace } from "../../lib/dom.js";
import { ask } from "../../lib/api.js";
import * as address from "../../lib/address.js";

export function showGo() {
  const list = h("ul", { class: "go-list", role: "listbox", "aria-label": "Files of this folder" });
  const box = h("input", { type: "text", "aria-label": "Path", placeholder: "a path, such as maps/My.Map.Gbx/thumbnail.jpg", style: { width: "min(80vw, 60ch)" } });
  const dialog = h("dialog", { "aria-label": "Go to", onclose: () => dialog.remove() },
    h("form", { method: "dialog", onsubmit: () => { location.hash = address.of(box.value); } }, box), list);
  let turn = 0;
  const look = async () => {
    const mine = ++turn;
    const cut = box.value.lastIndexOf("/");
    const [dir, start] = [box.value.slice(0, Math.max(cut, 0)), box.value.slice(cut + 1).toLowerCase()];
    const answer = await ask("children", { path: dir, most: 2000 }).catch(() => ({ children: [] }));
    if (mine !== turn) return;
    const fits = answer.children.filter((c) => c.name.toLowerCase().startsWith(start)).slice(0, 15);
    replace(list, fits.map((c) => h("li", {}, h("a", { href: address.of((dir ? dir + "/" : "") + c.name), onclick: () => dialog.close() }, c.name))));
  };
  box.addEventListener("input", look);
  document.body.append(dialog);
  dialog.showModal();
  look();
}
