// The left column of a screen with a list, and the choice between tiles and a table.

import { h, styles } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";

await styles(new URL("./side.css", import.meta.url));

// One listener serves all columns, because one of each column would outlive it.
const wide = matchMedia("(min-width: 721px)");
wide.addEventListener("change", () => {
  for (const side of document.querySelectorAll("details.side")) side.open = wide.matches;
});

// makeSide is the left column, which is folded on a phone.
export function makeSide(...content) {
  return h("details", { class: "side", open: wide.matches }, h("summary", {}, "Filter"), content);
}

// makeViews are the two buttons for tiles and table.
export function makeViews(now, chosen) {
  const box = h(
    "div",
    { class: "choice", role: "group", "aria-label": "View" },
    [
      ["tiles", "Tiles", "all"],
      ["table", "Table", "list"],
    ].map(([name, title, drawing]) =>
      h(
        "button",
        {
          type: "button",
          "data-view": name,
          title,
          "aria-label": title,
          "aria-pressed": String(name === now),
          onclick: () => {
            for (const b of box.children) b.setAttribute("aria-pressed", String(b.dataset.view === name));
            chosen(name);
          },
        },
        icon(drawing, 16),
      ),
    ),
  );
  return box;
}
