// A file that cannot be read: what is wrong with it, and its bytes with as much
// as can still be read of them.

import { h, replace } from "../../lib/dom.js";
import { blob, saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { hex, size } from "../../lib/format.js";
import { makeCard } from "../../widgets/card/card.js";
import { makeError } from "../../widgets/error/error.js";

export async function show(page) {
  page.command(page.what.command);
  const { error } = page.what;
  const there = address.of(page.path, { tab: "bytes", layer: "file", at: error.offset === null ? null : String(error.offset) });
  const picture = page.what.thumbnail && await thumbnail(page);
  const still = h("ul", { class: "damage-layers" });
  replace(page.target,
    h("h1", {}, page.what.title),
    makeError(error),
    page.what.card?.length > 1 && h("section", { class: "sheet", "aria-label": "What its header says" }, h("h2", {}, "What its header says"), h("div", { class: "damage-said" }, picture, makeCard(page.what.card))),
    h("p", {}, h("a", { href: there }, error.offset === null || error.entry ? "Look at its bytes" : "Look at its bytes, at " + hex(error.offset)), " · ",
      saveLink("Save it as it is", "content", { path: page.path }, page.path.split("/").at(-1))),
    h("h2", {}, "What can still be read"), still);
  const { layers } = await page.ask("layers", { path: page.path });
  replace(still, layers.map((l) => h("li", {}, h("a", { href: address.of(page.path, { tab: "bytes", layer: l.name }) }, l.title), h("span", { class: "note" }, ", " + size(l.size) + understood(l)))));
}

// thumbnail is the picture that the header holds; a damaged one is left out.
async function thumbnail(page) {
  try {
    const url = URL.createObjectURL(await blob("thumbnail", { path: page.path }, "image/jpeg", { signal: page.signal }));
    return h("img", { class: "damage-picture", src: url, alt: "Thumbnail", onload: () => URL.revokeObjectURL(url) });
  } catch {
    return null;
  }
}

// understood tells how much of a layer has names.
function understood({ decoded, size: all }) {
  return decoded === undefined || !all ? "" : `, of which ${(decoded / all * 100).toFixed(1)} % are values`;
}
