// Objects of Simutrans: their pictures with player colours and by night, their
// numbers with units.

import { h, replace, styles } from "../../lib/dom.js";
import { blob } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { makeCard } from "../../widgets/card/card.js";
import { makeList } from "../../widgets/list/list.js";

await styles(new URL("./simutrans.css", import.meta.url));

export const whole = true;

// Player colours of the game that are told apart easily.
const players = [["", "as stored"], ["#244b67", "blue"], ["#7a2a2a", "red"], ["#2a6a2f", "green"], ["#8a6d14", "gold"], ["#5a2a7a", "purple"]];

export async function show(page) {
  const { objects } = await page.ask("simutrans.objects", { path: page.path });
  const side = h("div", { class: "sim-object", role: "region", "aria-label": "The chosen object", tabindex: "0" });
  let looking = new AbortController();
  page.signal.addEventListener("abort", () => looking.abort());
  const list = makeList({
    label: "Objects",
    columns: [
      { title: "Name", cell: (o) => o.name || o.folder, sort: (o) => (o.name || o.folder).toLowerCase(), width: "minmax(16ch, 2fr)" },
      { title: "Type", cell: (o) => o.obj || o.type || "", sort: (o) => o.obj || o.type, width: "minmax(10ch, 1fr)" },
    ],
    pick: (o) => {
      looking.abort();
      looking = new AbortController();
      address.change({ object: o.folder }, { quiet: true });
      showObject(page, side, o, looking.signal);
    },
  });
  list.rows(objects);
  const search = h("input", { type: "search", "data-search": "", class: "grow", placeholder: "filter", "aria-label": "Filter by name", oninput: () => {
    const word = search.value.toLowerCase();
    list.filter(word ? (o) => (o.name || o.folder).toLowerCase().includes(word) : null);
  } });
  replace(page.target, h("div", { class: "bar over-list" }, search), h("div", { class: "sim-split" }, list.element, side));
  page.status(count(objects.length, "object"));
  const first = objects.find((o) => o.folder === page.query.object) || objects[0];
  if (first) list.pickWhere((o) => o === first);
}

function showObject(page, side, object, signal) {
  page.command(`pakbox simutrans picture ${page.what.shell_path}/${object.folder} -o picture.png`);
  const image = h("img", { alt: "Images of " + (object.name || object.folder), class: "sim-picture" });
  const note = h("p", { class: "note", role: "status" });
  const night = h("input", { type: "checkbox", onchange: draw });
  const scale = h("input", { type: "range", min: 1, max: 6, value: 2, "aria-label": "Size", oninput: draw });
  const choice = (label) => h("select", { "aria-label": label, onchange: draw }, players.map(([v, t]) => h("option", { value: v }, `${label}: ${t}`)));
  const player1 = choice("First colour"), player2 = choice("Second colour");
  let url, turn = 0;
  async function draw() {
    const mine = ++turn;
    try {
      const picture = await blob("simutrans.picture", { path: page.path, object: object.folder, night: night.checked ? "true" : "", scale: scale.value, player1: player1.value, player2: player2.value }, "image/png", { signal });
      if (mine !== turn || signal.aborted) return;
      URL.revokeObjectURL(url);
      image.src = url = URL.createObjectURL(picture);
      image.hidden = false;
      note.textContent = "";
    } catch (error) {
      if (mine === turn && !signal.aborted) { image.hidden = true; note.textContent = error.message; }
    }
  }
  signal.addEventListener("abort", () => URL.revokeObjectURL(url));
  replace(side, h("h1", {}, object.name || object.folder),
    h("div", { class: "bar" }, h("label", {}, night, "Night"), h("label", {}, "Size", scale), player1, player2),
    h("div", { class: "sim-pictures", tabindex: "0", role: "region", "aria-label": "Images" }, image, note), makeCard(object.card));
  draw();
}
