// A damaged file: its kind as far as it is known, its readable share, the error, and its
// bytes.

import { h, replace, styles } from "../../lib/dom.js";
import { blob, saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, hex, size, spans } from "../../lib/format.js";
import { makeCard } from "../../widgets/card/card.js";
import { makeError, titleOf } from "../../widgets/error/error.js";

await styles(new URL("./damage.css", import.meta.url));

export async function show(page) {
  page.command(page.what.command);
  const { error, card = [], title, left } = page.what,
    file = page.path.split("/").at(-1),
    line = (name) => card.find((l) => l.name === name);
  const painted = (l) => (l?.spans ? spans(l.spans) : l?.text),
    name = painted(line("name")),
    author = painted(line("author_nick") || line("author_login"));
  const there = address.of(page.path, {
    tab: "bytes",
    layer: "file",
    at: error.offset === null ? null : String(error.offset),
  });
  const picture = page.what.thumbnail && (await thumbnail(page));
  const missing = error.kind === "truncated" && error.needs ? { all: error.needs, here: error.remain } : null,
    still = h("ul", { class: "damage-layers" });
  replace(
    page.target,
    h(
      "div",
      { class: "damage" },
      h(
        "div",
        { class: "sheet damage-head" },
        picture,
        h(
          "div",
          { class: "damage-words" },
          h(
            "span",
            { class: "tag-bad" },
            missing ? "Ends early" : error.kind === "unsupported_version" ? "Not known" : "Damaged",
          ),
          h("h1", {}, name || title),
          author && h("p", {}, "by ", author),
          name && h("p", { class: "note" }, title),
          missing &&
            h(
              "div",
              { class: "damage-bar", "aria-hidden": "true" },
              h("span", { style: { flexGrow: String(missing.here) } }),
              h("span", { class: "gone", style: { flexGrow: String(missing.all - missing.here) } }),
            ),
          h(
            "p",
            { role: "alert" },
            missing
              ? `${missing.here.toLocaleString("en")} of the last ${missing.all.toLocaleString("en")} bytes are here. Most often a download or a copy stopped: get the file again.`
              : titleOf(error.kind) || error.message,
            " ",
            h("span", { class: "damage-kind" }, error.kind),
          ),
          h(
            "div",
            { class: "bar" },
            left && saveLink("Save recoverable data", "left", { path: page.path }, file + ".zip", "button main"),
            h("a", { class: left ? "button" : "button main", href: there }, "See the bytes"),
            saveLink("Save it as it is", "content", { path: page.path }, file, "button"),
          ),
        ),
      ),
      h(
        "div",
        { class: "damage-split" },
        card.length > 1 &&
          h(
            "section",
            { class: "sheet", "aria-label": "From the header" },
            h("h2", {}, "From the header"),
            makeCard(card, { without: ["name", "author_nick"] }),
          ),
        h(
          "section",
          { class: "sheet", "aria-label": "Readable parts" },
          h("h2", {}, "Readable parts"),
          still,
          left && h("p", { class: "note" }, "The zip that you save holds " + holds(left)),
          h(
            "details",
            {},
            h("summary", { class: "note" }, "Error message of pakbox"),
            makeError(error, { alert: false }),
            error.offset !== null && h("p", { class: "note" }, "at " + hex(error.offset)),
          ),
        ),
      ),
    ),
  );
  const { layers } = await page.ask("layers", { path: page.path });
  replace(
    still,
    layers.map((l) =>
      h(
        "li",
        {},
        h("a", { href: address.of(page.path, { tab: "bytes", layer: l.name }) }, l.title),
        h("span", { class: "note" }, ", " + size(l.size) + understood(l)),
      ),
    ),
  );
}

// thumbnail is the picture in the header, unless it is damaged.
async function thumbnail(page) {
  try {
    const url = URL.createObjectURL(
      await blob("thumbnail", { path: page.path }, "image/jpeg", { signal: page.signal }),
    );
    return h("img", { class: "damage-picture", src: url, alt: "Thumbnail", onload: () => URL.revokeObjectURL(url) });
  } catch {
    return null;
  }
}

// holds lists the first readable files.
function holds(left) {
  return (
    left
      .slice(0, 8)
      .map((e) => `${e.name} (${size(e.size)})`)
      .join(", ") + (left.length > 8 ? ` and ${count(left.length - 8, "file")} more.` : ".")
  );
}

// understood is the share of a layer whose bytes have names.
function understood({ decoded, size: all }) {
  return decoded === undefined || !all ? "" : `, of which ${((decoded / all) * 100).toFixed(1)} % are values`;
}
