// The objects of a depot, as tiles or as a table.

import { h, replace } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { makeList } from "../../widgets/list/list.js";
import { pictureOf } from "../../widgets/tile/tile.js";
import { number, words } from "./kinds.js";

// atOnce is the number of tiles that are made before the user scrolls to the last.
const atOnce = 140;

export function tilesOf(page, kind, list, hovered) {
  const element = h("ul", { class: "depot", "aria-label": "Objects" });
  const sight = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (!isIntersecting) continue;
        sight.unobserve(target);
        if (target === end) add();
        else fill(target, page.signal);
      }
    },
    { rootMargin: "300px" },
  );
  page.signal.addEventListener("abort", () => sight.disconnect());
  let made = 0;
  const end = h("li", { class: "depot-end" });
  function add() {
    end.remove();
    for (const o of list.slice(made, made + atOnce)) {
      const picture = h("div", { class: "depot-picture" });
      picture.dataset.path = o.path;
      const years = o.from !== null ? `${Math.floor(o.from)}–${o.to && o.to < 2900 ? Math.floor(o.to) : ""}` : "";
      element.append(
        h(
          "li",
          {},
          h(
            "a",
            {
              class: "depot-tile",
              id: o.id,
              href: address.of(o.path),
              onpointerenter: () => mark(o),
              onfocus: () => mark(o),
            },
            picture,
            h(
              "div",
              { class: "depot-words" },
              h("b", { title: o.name }, o.name),
              h("span", {}, years),
              h("strong", {}, kind.main(o)),
              h("span", { title: kind.second(o) }, kind.second(o)),
              h("span", {}, kind.third(o)),
            ),
          ),
        ),
      );
      sight.observe(picture);
    }
    made += atOnce;
    if (made < list.length) {
      element.append(end);
      sight.observe(end);
    }
  }
  function mark(o) {
    element.querySelector(".at")?.classList.remove("at");
    document.getElementById(o.id)?.classList.add("at");
    hovered(o);
  }
  add();
  return element;
}

// fill draws the picture of an object, at double size if it fits.
async function fill(room, signal) {
  const image = await pictureOf(room.dataset.path, signal).catch(() => null);
  if (!image) return;
  image.addEventListener("load", () => {
    const by = image.naturalWidth <= 76 && image.naturalHeight <= 42 ? 2 : image.naturalHeight > 160 ? 0.5 : 1;
    image.width = image.naturalWidth * by;
  });
  replace(room, image);
}

export function tableOf(kind, list) {
  const table = makeList({
    label: "Objects",
    columns: [
      { title: "Name", cell: (o) => o.name, sort: (o) => o.name.toLowerCase(), width: "minmax(16ch, 2fr)" },
      ...kind.apart.map(([f, t]) => ({
        title: t,
        cell: (o) => (o[f] ? words(o[f]) : ""),
        sort: (o) => o[f],
        width: "minmax(9ch, 1fr)",
      })),
      ...kind.measures.map(([f, t, unit]) => ({
        title: t,
        cell: (o) => number(o[f], unit),
        sort: (o) => o[f],
        number: true,
        width: "13ch",
      })),
      { title: "Sold", cell: (o) => `${o.intro ?? ""} – ${o.retire ?? ""}`, sort: (o) => o.intro, width: "18ch" },
    ],
    href: (o) => address.of(o.path),
  });
  table.rows(list);
  return table.element;
}
