// Files as pictures with a few words below. A picture is asked for when its card
// comes into sight; its place is kept from the start.

import { h, styles } from "../../lib/dom.js";
import { blob } from "../../lib/api.js";
import * as address from "../../lib/address.js";

await styles(new URL("./gallery.css", import.meta.url));

const pictured = new Set(["map", "item"]);

// makeGallery shows the rows of an answer to find, so many at a time.
export function makeGallery(table, signal, atOnce = 60) {
  const at = Object.fromEntries(table.columns.map((name, i) => [name, i]));
  const element = h("ul", { class: "gallery", "aria-label": "Files" });
  const sight = new IntersectionObserver((seen) => {
    for (const e of seen) {
      if (!e.isIntersecting) continue;
      sight.unobserve(e.target);
      e.target.setAttribute("aria-busy", "true");
      load(e.target, e.target.dataset.path, signal);
    }
  }, { rootMargin: "200px" });
  signal.addEventListener("abort", () => sight.disconnect());
  let shown = 0;

  function card(row) {
    const say = (name) => (at[name] === undefined ? "" : table.texts[row][at[name]]);
    const path = table.paths[row], file = say("path").split("/").at(-1);
    const picture = h("div", { class: "gallery-picture", "data-path": path, "aria-hidden": "true" }, say("kind") || "file");
    if (path && pictured.has(say("kind"))) sight.observe(picture);
    const words = h("div", { class: "gallery-text" },
      h("div", { class: "gallery-name", title: say("path") }, say("name") || file),
      h("div", { class: "note" }, say("author") || " "),
      h("div", { class: "note" }, [say("env"), say("author_time") || say("time"), say("size")].filter(Boolean).join(" · ")));
    return h("li", {}, path ? h("a", { class: "gallery-card", href: address.of(path) }, picture, words) : h("div", { class: "gallery-card" }, picture, words));
  }

  // more shows the next, and reports whether there are any left.
  function more() {
    for (const end = Math.min(table.rows.length, shown + atOnce); shown < end; shown++) element.append(card(shown));
    return shown < table.rows.length;
  }
  more();
  return { element, more, left: () => table.rows.length - shown };
}

async function load(picture, path, signal) {
  try {
    // A JPEG or a PNG; browsers tell pictures apart by their first bytes.
    const source = URL.createObjectURL(await blob("thumbnail", { path }, "image/png", { signal }));
    picture.replaceChildren(h("img", { src: source, alt: "", onload: () => URL.revokeObjectURL(source) }));
  } catch { /* it has none: the word stays */ } finally {
    picture.setAttribute("aria-busy", "false");
  }
}
