// What found files can be told apart by: a button for each value, with the
// number of files it leaves. Pressed ones are part of the search.

import { h, replace, styles } from "../../lib/dom.js";
import { split } from "../../lib/words.js";

await styles(new URL("./facets.css", import.meta.url));

// makeFacets has element and show(facets, search); choose is called with
// word=value.
export function makeFacets(choose) {
  const element = h("div", { class: "facets", role: "group", "aria-label": "Narrow the search", tabindex: "0" });
  function show(facets, search) {
    const held = element.contains(document.activeElement) ? document.activeElement.dataset.word : null;
    const words = split(search);
    replace(element, facets.map((f) => h("div", { role: "group", "aria-label": f.title },
      h("span", { class: "facet-title" }, f.title),
      f.values.map((v) => {
        const word = `${f.word}=${v.value}`;
        return h("button", { type: "button", "data-word": word, "aria-pressed": String(words.includes(word)), onclick: () => choose(word) },
          v.value, h("span", { class: "facet-files" }, v.files.toLocaleString("en")));
      }))));
    if (held) [...element.querySelectorAll("button")].find((b) => b.dataset.word === held)?.focus();
  }
  return { element, show };
}
