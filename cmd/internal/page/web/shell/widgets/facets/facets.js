// Facets of a search: a row for each value, with the number of files that have it. Chosen
// values are part of the search.

import { h, replace, styles } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { split } from "../../lib/words.js";

await styles(new URL("./facets.css", import.meta.url));

// atOnce is the number of values of a facet that are shown before the user asks for more.
const atOnce = 6;

// names are the values that have another name on the page, with their icons.
const names = {
  "kind=map": ["Maps", "map"],
  "kind=replay": ["Replays", "run"],
  "kind=ghost": ["Ghosts", "run"],
  "kind=item": ["Items, blocks", "item"],
  "kind=pack": ["Packs", "pack"],
  "kind=object": ["Simutrans", "vehicle"],
  "kind=picture": ["Pictures", "picture"],
  "kind=text": ["Texts", "text"],
  "kind=sound": ["Sounds", "sound"],
  "status=damaged": ["Damaged", "warning"],
  "status=locked": ["Locked", "lock"],
  "status=partial": ["Read in part", "warning"],
  "status=unknown": ["With unknown bytes", "unknown"],
};
const titles = { status: "Needs a look" };
const folded = ["mode", "changed", "format"]; // rarely used

// makeFacets has element and show(facets, search). It calls choose with word=value.
export function makeFacets(choose) {
  const element = h("div", { class: "facets", role: "group", "aria-label": "Narrow the search" });
  const open = new Set();
  function show(facets, search) {
    const held = element.contains(document.activeElement) ? document.activeElement.dataset.word : null;
    const words = split(search);
    const row = (f) => (v) => {
      const word = `${f.word}=${v.value}`,
        [title, drawing] = names[word] || [v.value];
      return h(
        "button",
        {
          type: "button",
          class: "facet",
          "data-word": word,
          "aria-pressed": String(words.includes(word)),
          onclick: () => choose(word),
        },
        drawing && icon(drawing, 16),
        h("span", { class: "facet-name" }, title),
        h("span", { class: "facet-files" }, v.files.toLocaleString("en")),
      );
    };
    const place = (f, v) => (Object.keys(names).indexOf(`${f.word}=${v.value}`) + 100) % 100; // kinds that have a name come first, in their order
    const group = (f) => {
      const values = f.values.filter((v) => v.files > 0 && !(f.word === "status" && v.value === "ok"));
      if (f.word === "kind") values.sort((a, b) => place(f, a) - place(f, b));
      if (!values.length) return null;
      const rest = values.slice(atOnce),
        more =
          rest.length > 1 &&
          h(
            "details",
            {
              class: "facet-more",
              open: open.has(f.word),
              ontoggle: () => {
                if (more.open) open.add(f.word);
                else open.delete(f.word);
              },
            },
            h("summary", {}, `${rest.length} more`),
            rest.map(row(f)),
          );
      return h(
        "div",
        { role: "group", "aria-label": f.title, class: "facet-group" },
        h("h2", {}, titles[f.word] || f.title[0].toUpperCase() + f.title.slice(1)),
        values.slice(0, more ? atOnce : values.length).map(row(f)),
        more,
      );
    };
    const late = facets
      .filter((f) => folded.includes(f.word))
      .map(group)
      .filter(Boolean);
    const all =
      late.length > 0 &&
      h(
        "details",
        {
          class: "facet-more",
          open: open.has("*"),
          ontoggle: () => {
            if (all.open) open.add("*");
            else open.delete("*");
          },
        },
        h("summary", {}, "More"),
        late,
      );
    replace(element, facets.filter((f) => !folded.includes(f.word)).map(group), all);
    if (held) [...element.querySelectorAll("button")].find((b) => b.dataset.word === held)?.focus();
  }
  return { element, show };
}
