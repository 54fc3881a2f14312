// A file that is no archive: a picture, a sound, a text with its code page, or bytes.

import { h, replace, styles } from "../../lib/dom.js";
import { ask, blob, bytes, saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { size } from "../../lib/format.js";
import { makeError } from "../../widgets/error/error.js";
import { makeCard } from "../../widgets/card/card.js";
import { makeHex } from "../../widgets/hex/hex.js";

await styles(new URL("./preview.css", import.meta.url));

export async function show(page) {
  page.command(page.what.command);
  await showPreview(page.target, page.path, page.signal, page.what);
}

// showPreview shows whatever stands at a path, in little.
export async function showPreview(target, path, signal, what) {
  try {
    what = what || await ask("what", { path }, { signal });
    const parts = [h("h2", {}, what.title || path.split("/").at(-1))];
    if (what.error) parts.push(makeError(what.error));
    else if (what.looks === "picture") parts.push(await picture(path, signal));
    else if (what.looks === "empty") parts.push(h("p", { class: "note" }, "This file is empty."));
    else if (what.looks === "sound" && what.size <= longestSound) parts.push(await sound(path, signal));
    else if (what.looks === "text") parts.push(await text(path, signal));
    else if (what.card?.length) parts.push(makeCard(what.card));
    else if (what.looks === "bytes") parts.push(await raw(path, what, signal));
    if (what.thumbnail) parts.splice(1, 0, await show1(await blob("thumbnail", { path }, "image/png", { signal }), "Thumbnail"));
    parts.push(h("p", {}, h("a", { href: address.of(path) }, "Open"), " · ", saveLink("Save", "content", { path }, path.split("/").at(-1))));
    if (!signal?.aborted) replace(target, parts);
  } catch (error) {
    if (error.name !== "AbortError" && !signal?.aborted) {
      replace(target, makeError(error));
    }
  }
}

function show1(content, alt) {
  const address = URL.createObjectURL(content);
  return h("img", { class: "preview-picture", src: address, alt, onload: () => URL.revokeObjectURL(address) });
}

async function picture(path, signal) {
  return show1(await blob("picture", { path }, "image/png", { signal }), path.split("/").at(-1));
}

const longestSound = 64 << 20; // bytes

// sound plays a sound. Its type is what its name says; browsers look for themselves.
async function sound(path, signal) {
  const type = /\.wav$/i.test(path) ? "audio/wav" : "audio/ogg";
  const address = URL.createObjectURL(await blob("content", { path }, type, { signal }));
  signal?.addEventListener("abort", () => URL.revokeObjectURL(address));
  return h("audio", { controls: true, src: address, "aria-label": path.split("/").at(-1) });
}

async function text(path, signal) {
  const answer = await ask("text", { path }, { signal });
  return h("div", {}, h("p", { class: "note" }, answer.encoding, ", ", size(answer.size), answer.cut ? ", the beginning" : ""),
    h("pre", { class: "preview-text", tabindex: "0", "aria-label": "Text" }, answer.text));
}

async function raw(path, what, signal) {
  const view = makeHex({ size: what.size, read: async (from, to) => (await bytes("content", { path }, from, to, { signal })).data });
  return h("div", { class: "preview-bytes" }, view.element);
}
