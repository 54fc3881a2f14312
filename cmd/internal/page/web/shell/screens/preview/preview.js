// A file that is not an archive: a picture, a sound, a text with its code page, or bytes.

import { h, replace, styles } from "../../lib/dom.js";
import { ask, blob, bytes, saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { size } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";
import { makeError } from "../../widgets/error/error.js";
import { makeCard } from "../../widgets/card/card.js";
import { makeHex } from "../../widgets/hex/hex.js";

await styles(new URL("./preview.css", import.meta.url));

export async function show(page) {
  page.command(page.what.command);
  await showPreview(page.target, page.path, page.signal, page.what);
}

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

function show1(content, alt) {
  const address = URL.createObjectURL(content);
  return h(
    "div",
    { class: "preview-stage" },
    h("img", { class: "preview-picture", src: address, alt, onload: () => URL.revokeObjectURL(address) }),
  );
}

async function picture(path, signal, about) {
  const shown = show1(await blob("picture", { path }, "image/png", { signal }), path.split("/").at(-1)),
    image = shown.firstChild;
  await image.decode().catch(() => {});
  about.unshift(path.split(".").at(-1).toUpperCase(), `${image.naturalWidth} × ${image.naturalHeight}`);
  if (image.naturalWidth < 200) image.classList.add("small");
  return shown;
}

const longestSound = 64 << 20; // bytes

// sound plays a sound. Its type comes from its name; browsers inspect the content themselves.
async function sound(path, signal) {
  const type = /\.wav$/i.test(path) ? "audio/wav" : "audio/ogg";
  const address = URL.createObjectURL(await blob("content", { path }, type, { signal }));
  signal?.addEventListener("abort", () => URL.revokeObjectURL(address));
  return h(
    "div",
    { class: "sheet preview-sound" },
    icon("sound", 32),
    h("audio", { controls: true, src: address, "aria-label": path.split("/").at(-1) }),
  );
}

// maxLines is the maximum number of lines with line numbers.
const maxLines = 5000;

async function text(path, signal, about) {
  const answer = await ask("text", { path }, { signal }),
    lines = answer.text.split("\n").length;
  about.unshift(
    "Text",
    answer.encoding,
    !about.some((a) => /B$/.test(a || "")) && size(answer.size),
    answer.cut && "the beginning",
  );
  return h(
    "div",
    { class: "preview-text", tabindex: "0", role: "region", "aria-label": "Text" },
    h(
      "pre",
      { class: "preview-lines", "aria-hidden": "true" },
      Array.from({ length: Math.min(lines, maxLines) }, (_, i) => i + 1).join("\n"),
    ),
    h("pre", {}, answer.text),
  );
}

async function raw(path, what, signal) {
  const view = makeHex({
    size: what.size,
    read: async (from, to) => (await bytes("content", { path }, from, to, { signal })).data,
  });
  return h("div", { class: "preview-bytes" }, view.element);
}
