// The content of a previewed file: a picture, a sound, a text, or bytes.

import { h } from "../../lib/dom.js";
import { ask, blob, bytes } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { size } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";
import { makeHex } from "../hex/hex.js";

export function show1(content, alt) {
  const address = URL.createObjectURL(content);
  return h(
    "div",
    { class: "preview-stage" },
    h("img", { class: "preview-picture", src: address, alt, onload: () => URL.revokeObjectURL(address) }),
  );
}

export async function picture(path, signal, about) {
  const shown = show1(await blob("picture", { path }, "image/png", { signal }), path.split("/").at(-1)),
    image = shown.firstChild;
  await image.decode().catch(() => {});
  about.unshift(path.split(".").at(-1).toUpperCase(), `${image.naturalWidth} × ${image.naturalHeight}`);
  if (image.naturalWidth < 200) image.classList.add("small");
  return shown;
}

export const longestSound = 64 << 20; // bytes

// sound plays a sound. Its type comes from its name; browsers inspect the content themselves.
export async function sound(path, signal) {
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

export async function text(path, signal, about) {
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

export async function raw(path, what, signal) {
  const view = makeHex({
    size: what.size,
    read: async (from, to) => (await bytes("content", { path }, from, to, { signal })).data,
  });
  return h("div", { class: "preview-bytes" }, view.element);
}
