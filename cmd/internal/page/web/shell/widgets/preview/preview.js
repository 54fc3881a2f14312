// A small preview of a file that is not an archive: its name, what it is, and its content.

import { h, replace, styles } from "../../lib/dom.js";
import { ask, blob, saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { size } from "../../lib/format.js";
import { makeError } from "../error/error.js";
import { makeCard } from "../card/card.js";
import { show1, picture, longestSound, sound, text, raw } from "./looks.js";

await styles(new URL("./preview.css", import.meta.url));

// showPreview shows a small preview of the file at a path. stored is its entry in an
// archive; foot makes the content below.
export async function showPreview(target, path, signal, what, { stored, foot } = {}) {
  try {
    what = what || (await ask("what", { path }, { signal }));
    const parts = [],
      name = path.split("/").at(-1),
      about = [
        what.card?.length ? what.title && what.title !== name && name : what.facts?.class_name,
        stored?.size !== undefined && size(stored.size ?? what.size),
        stored?.method &&
          (["store", "stored"].includes(stored.method)
            ? "stored as it is"
            : stored.stored_size > 0
              ? `stored with ${stored.method} in ${size(stored.stored_size)}`
              : stored.method),
      ];
    if (what.error) parts.push(makeError(what.error));
    else if (what.looks === "picture") parts.push(await picture(path, signal, about));
    else if (what.looks === "empty") parts.push(h("p", { class: "sheet note" }, "This file is empty."));
    else if (what.looks === "sound" && what.size <= longestSound) parts.push(await sound(path, signal));
    else if (what.looks === "text") parts.push(await text(path, signal, about));
    else if (what.card?.length) parts.push(h("div", { class: "sheet" }, makeCard(what.card)));
    else if (what.looks === "bytes") parts.push(await raw(path, what, signal));
    if (what.thumbnail)
      parts.unshift(await show1(await blob("thumbnail", { path }, "image/png", { signal }), "Thumbnail"));
    const beside = target.closest(".archive, .folder-split"),
      title = h(beside ? "h2" : "h1", {}, what.title || name);
    const head = h(
      "div",
      { class: "preview-head" },
      h("div", {}, title, h("p", { class: "note" }, about.filter(Boolean).join(", "))),
      h(
        "div",
        { class: "bar" },
        what.tabs?.length && beside && h("a", { class: "button", href: address.of(path) }, "Open"),
        saveLink("Save", "content", { path }, name, "button"),
      ),
    );
    if (!signal?.aborted) replace(target, head, parts, foot?.());
  } catch (error) {
    if (error.name !== "AbortError" && !signal?.aborted) {
      replace(target, makeError(error), foot?.());
    }
  }
}
