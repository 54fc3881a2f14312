// Objects of Simutrans: their pictures with player colours and by night, their
// numbers with units.

import { h, replace, styles } from "../../lib/dom.js";
import { blob } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { makeCard } from "../../widgets/card/card.js";
import { changeButton } from "../change/change.js";
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
  const whole = h("select", { "aria-label": "What is shown", onchange: draw }, [["true", "Put together"], ["", "All images"]].map(([v, t]) => h("option", { value: v }, t)));
  const axes = (object.axes || []).filter((a) => a.values.length > 1).map((a) => ({ name: a.name, choice: chooser(a, draw) }));
  let url, turn = 0;
  async function draw() {
    const mine = ++turn;
    try {
      const picture = await blob("simutrans.picture", { path: page.path, object: object.folder, night: night.checked ? "true" : "", scale: scale.value, player1: player1.value, player2: player2.value, sprite: whole.value, ...Object.fromEntries(axes.map((a) => ["axis." + a.name, a.choice.value()])) }, "image/png", { signal });
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
    h("div", { class: "bar" }, h("label", {}, night, "Night"), h("label", {}, "Size", scale), whole, player1, player2),
    axes.length > 0 && h("div", { class: "bar" }, axes.map((a) => a.choice.element)),
    h("div", { class: "sim-pictures", tabindex: "0", role: "region", "aria-label": "Images" }, image, note), makeCard(object.card),
    page.what.changes?.includes("set") && object.fields.length > 0 && h("div", { class: "bar" }, changeButton(page, "simutrans.set", object)));
  draw();
}

// chooser lets somebody choose a value of an axis: a slider for frames and
// directions, which follow each other, a list for others.
function chooser(axis, changed) {
  const label = axis.name[0].toUpperCase() + axis.name.slice(1);
  if (axis.name !== "frame" && axis.name !== "direction" && axis.name !== "season" && axis.name !== "age") {
    const select = h("select", { "aria-label": label, onchange: changed }, axis.values.map((v) => h("option", { value: v.value }, `${label}: ${v.label}`)));
    return { element: select, value: () => select.value };
  }
  const said = h("output", {}, axis.values[0].label);
  const slider = h("input", { type: "range", min: 0, max: axis.values.length - 1, value: 0, "aria-label": label, oninput: () => { said.textContent = axis.values[slider.value].label; changed(); } });
  return { element: h("label", {}, label, slider, said), value: () => axis.values[slider.value].value };
}
