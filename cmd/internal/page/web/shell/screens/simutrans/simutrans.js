// Objects of Simutrans: composed of their tiles, with sliders for direction, season,
// animation, colours and night, and with their numbers and units.

import { h, replace, styles } from "../../lib/dom.js";
import { blob } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { makeCard } from "../../widgets/card/card.js";
import { changeButton } from "../../widgets/change/change.js";
import { makeList } from "../../widgets/list/list.js";

await styles(new URL("./simutrans.css", import.meta.url));

export const whole = true;

// The player's colours, with the names of the command.
const colours = ["", "red", "orange", "yellow", "green", "blue", "purple", "brown", "black", "grey", "white"].map(
  (name) => ({ value: name, label: name || "as stored" }),
);

// asked are the values that users look for; the rest is folded, without values that are
// not set.
const asked = new Set([
  "Type",
  "Building type",
  "Goods category",
  "Waytype",
  "System type",
  "Engine type",
  "Power",
  "Topspeed",
  "Weight",
  "Tons",
  "Capacity",
  "Freight",
  "Refers to good",
  "Price",
  "Running cost",
  "Fixed cost",
  "Maintenance",
  "Intro",
  "Retire",
  "Level",
  "Layouts",
  "Climates",
  "Copyright",
  "Author",
  "Productivity",
  "Range",
  "Chance",
  "Speed bonus",
  "Value",
  "Max length",
  "Max weight",
]);
const nothing = /^(0( kW)?|none|65535 km\/h|2999-\d+|)$/;

// titles are the axes with another name on the page.
const titles = { frame: "Animation" };

export async function show(page) {
  const { objects } = await page.ask("simutrans.objects", { path: page.path });
  const side = h("div", { class: "sim-object", role: "region", "aria-label": "The chosen object", tabindex: "0" });
  let looking = new AbortController();
  page.signal.addEventListener("abort", () => looking.abort());
  const list = makeList({
    label: "Objects",
    columns: [
      {
        title: "Name",
        cell: (o) => o.name || o.folder,
        sort: (o) => (o.name || o.folder).toLowerCase(),
        width: "minmax(16ch, 2fr)",
      },
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
  const search = h("input", {
    type: "search",
    "data-search": "",
    class: "grow",
    placeholder: "filter",
    "aria-label": "Filter by name",
    oninput: () => {
      const word = search.value.toLowerCase();
      list.filter(word ? (o) => (o.name || o.folder).toLowerCase().includes(word) : null);
    },
  });
  // A file with one object needs no list.
  if (objects.length === 1) replace(page.target, h("div", { class: "sim-split sim-alone" }, side));
  else
    replace(
      page.target,
      h("div", { class: "bar over-list" }, search),
      h("div", { class: "sim-split" }, list.element, side),
    );
  page.status(count(objects.length, "object"));
  const first = objects.find((o) => o.folder === page.query.object) || objects[0];
  if (first) list.pickWhere((o) => o === first);
}

function showObject(page, side, object, signal) {
  const image = h("img", { alt: "Images of " + (object.name || object.folder), class: "sim-picture" });
  const note = h("p", { class: "note", role: "status" });
  const sheet = h(
    "select",
    { "aria-label": "Picture", onchange: draw },
    [
      ["sprite", "Put together"],
      ["sheet", "All images"],
    ].map(([v, t]) => h("option", { value: v, selected: v === address.parse().query.images }, t)),
  );
  const { query } = address.parse(); // the settings of one object apply to the next
  const slide = (name, label, values, usual = 0) =>
    makeSlider({ name, label, values, usual, start: query[name], changed: draw });
  const axes = (object.axes || [])
    .filter((a) => a.values.length > 1)
    .map((a) => slide(a.name, titles[a.name] || a.name[0].toUpperCase() + a.name.slice(1), a.values));
  const looks = [
    slide("night", "Light", [
      { value: "", label: "day" },
      { value: "true", label: "night" },
    ]),
    slide("player1", "First colour", colours),
    slide("player2", "Second colour", colours),
    slide(
      "scale",
      "Size",
      [1, 2, 3, 4, 5, 6].map((n) => ({ value: String(n), label: n + " ×" })),
      1,
    ),
  ];
  const [night, player1, player2, scale] = looks;
  let url,
    turn = 0;
  async function draw() {
    const mine = ++turn,
      together = sheet.value === "sprite";
    axes.forEach((a) => {
      a.element.hidden = !together;
    });
    play.hidden = !together || !frames;
    const chosen = Object.fromEntries([...axes, ...looks].map((s) => [s.name, s.moved() ? s.value() : null]));
    address.change({ ...chosen, images: together ? null : "sheet" }, { quiet: true });
    page.command(command(page, object, together, axes, looks));
    try {
      const picture = await blob(
        "simutrans.picture",
        {
          path: page.path,
          object: object.folder,
          night: night.value(),
          scale: scale.value(),
          player1: player1.value(),
          player2: player2.value(),
          sprite: together ? "true" : "",
          choose: together ? axes.map((a) => `${a.name}=${a.value()}`) : [],
        },
        "image/png",
        { signal },
      );
      if (mine !== turn || signal.aborted) return;
      URL.revokeObjectURL(url);
      image.src = url = URL.createObjectURL(picture);
      image.hidden = false;
      note.textContent = "";
    } catch (error) {
      if (mine === turn && !signal.aborted) {
        image.hidden = true;
        note.textContent = error.message;
      }
    }
  }
  const frames = axes.find((a) => a.name === "frame");
  let playing = 0;
  const play = h(
    "button",
    {
      type: "button",
      onclick: () => {
        if (playing) stop();
        else {
          playing = setInterval(frames.next, 200);
          play.textContent = "Pause";
        }
      },
    },
    "Play",
  );
  function stop() {
    clearInterval(playing);
    playing = 0;
    play.textContent = "Play";
  }
  signal.addEventListener("abort", () => {
    stop();
    URL.revokeObjectURL(url);
  });
  const card = object.card
    .filter((l) => l.label !== "Object")
    .map((l) => ({ ...l, storage: !asked.has(l.label) || nothing.test(l.text) }));
  replace(
    side,
    h(
      "div",
      { class: "sim-show" },
      h("div", { class: "sim-pictures", tabindex: "0", role: "region", "aria-label": "Images" }, image, note),
      h(
        "div",
        { class: "sheet" },
        h("div", { class: "bar" }, sheet, play),
        h(
          "div",
          { class: "sim-sliders" },
          axes.map((a) => a.element),
          looks.map((s) => s.element),
        ),
      ),
    ),
    h(
      "section",
      { class: "sheet", "aria-label": "Facts" },
      h("h1", {}, object.name || object.folder),
      makeCard(card, { folded: "All values" }),
      page.what.changes?.includes("set") &&
        object.fields.length > 0 &&
        h("div", { class: "bar" }, changeButton(page, "simutrans.set", object)),
    ),
  );
  draw();
}

// command is the command that draws the shown picture.
function command(page, object, together, axes, [night, player1, player2, scale]) {
  const chosen = together
    ? ["--sprite", ...axes.filter((a) => a.moved()).map((a) => `--choose ${a.name}=${a.value()}`)]
    : [];
  const looks = [
    night.value() && "--night",
    player1.value() && "--player1 " + player1.value(),
    player2.value() && "--player2 " + player2.value(),
    scale.value() !== "1" && "--scale " + scale.value(),
  ];
  return [
    "pakbox simutrans picture",
    page.what.shell_path + "/" + object.folder,
    ...chosen,
    ...looks.filter(Boolean),
    "-o picture.png",
  ].join(" ");
}

// makeSlider chooses one of a series of values, and shows the name of the chosen
// value.
function makeSlider({ name, label, values, usual, start, changed }) {
  const found = values.findIndex((v) => v.value === start),
    at = found < 0 ? usual : found;
  const slider = h("input", {
    type: "range",
    min: 0,
    max: values.length - 1,
    value: at,
    "aria-label": label,
    oninput: move,
  });
  const output = h("output", {});
  const now = () => values[Number(slider.value)];
  function tell() {
    output.textContent = now().label;
    slider.setAttribute("aria-valuetext", now().label);
  }
  function move() {
    tell();
    changed();
  }
  tell();
  return {
    name,
    value: () => now().value,
    moved: () => Number(slider.value) !== usual,
    next() {
      slider.value = (Number(slider.value) + 1) % values.length;
      move();
    },
    element: h("label", { class: "sim-slider" }, h("span", {}, label), slider, output),
  };
}
