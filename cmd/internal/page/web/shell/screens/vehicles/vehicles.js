// A pakset as a depot: the objects for sale in a year, with pictures and prices, a chart of
// a property over the years, and filters. One screen for vehicles, buildings, factories and
// ways.

import { h, svg, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { keep, kept } from "../../lib/keep.js";
import { makeList } from "../../widgets/list/list.js";
import { pictureOf } from "../../widgets/tile/tile.js";
import { makeSide, makeViews } from "../collection/collection.js";

await Promise.all(
  ["./vehicles.css", "../../widgets/facets/facets.css", "../collection/collection.css"].map((name) =>
    styles(new URL(name, import.meta.url)),
  ),
);

const number = (v, unit) =>
  v === null || v === undefined ? "" : Number(v).toLocaleString("en") + (unit ? " " + unit : "");

// kinds are the tables of a pakset: the properties of its objects (the first is that of the
// chart), the facets, and the two lines of a tile.
const kinds = {
  vehicles: {
    noun: "vehicle",
    measures: [
      ["topspeed", "Top speed", "km/h"],
      ["power", "Power", "kW"],
      ["price", "Price", "Cr"],
      ["running_cost", "Running cost", "Cr/km"],
      ["capacity", "Capacity", ""],
    ],
    apart: [
      ["waytype", "Way"],
      ["engine_type", "Engine"],
      ["freight", "Freight"],
    ],
    main: (o) => number(o.topspeed, "km/h"),
    second: (o) => (o.power ? number(o.power, "kW") : o.capacity ? number(o.capacity, o.freight || "") : ""),
    third: (o) => number(o.price, "Cr"),
  },
  buildings: {
    noun: "building",
    measures: [
      ["level", "Level", ""],
      ["capacity", "Capacity", ""],
      ["maintenance", "Maintenance", "Cr"],
    ],
    apart: [
      ["kind", "Kind"],
      ["waytype", "Way"],
      ["size", "Size"],
    ],
    main: (o) => "level " + o.level,
    second: (o) => [o.kind, o.size].filter(Boolean).join(", "),
    third: (o) => number(o.capacity),
  },
  factories: {
    noun: "factory",
    plural: "factories",
    measures: [
      ["productivity", "Productivity", ""],
      ["range", "Range", ""],
    ],
    apart: [
      ["location", "Location"],
      ["size", "Size"],
    ],
    main: (o) => number(o.productivity),
    second: (o) =>
      o.makes?.length ? "makes " + o.makes.join(", ") : o.needs?.length ? "needs " + o.needs.join(", ") : "",
    third: (o) => o.size,
  },
  ways: {
    noun: "way",
    measures: [
      ["topspeed", "Top speed", "km/h"],
      ["price", "Price", "Cr"],
      ["maintenance", "Maintenance", "Cr"],
    ],
    apart: [
      ["type", "Type"],
      ["waytype", "Way"],
    ],
    main: (o) => number(o.topspeed, "km/h"),
    second: (o) => o.type,
    third: (o) => number(o.price, "Cr"),
  },
};

// words are values in the form for people.
const words = (v) => {
  const t = String(v).replaceAll("_", " ");
  return t[0].toUpperCase() + t.slice(1);
};

export async function show(page) {
  const name = page.query.tab in kinds ? page.query.tab : "vehicles",
    kind = kinds[name];
  page.command(`pakbox simutrans ${name} ${page.what.shell_path}`);
  const { objects: all } = await page.ask("simutrans." + name, { path: page.path });
  if (!all.length) {
    replace(
      page.target,
      h("h1", {}, words(name)),
      h("p", { class: "note" }, `There are no ${kind.plural || kind.noun + "s"} here.`),
    );
    return;
  }
  for (const o of all) {
    o.from = year(o.intro);
    o.to = year(o.retire);
  }
  const years = usualYears(all),
    chosen = { search: page.query.q || "" };
  for (const [field] of kind.apart) chosen[field] = page.query[field] || "";
  let sold = page.query.year ? Number(page.query.year) : null,
    at = null,
    order = kept("depot.order", "from"),
    view = kept("depot.view", "tiles");
  const room = h("div", {}),
    side = h("div", { class: "facets" }),
    chartRoom = h("section", { class: "sheet depot-chart", "aria-label": "Chart" }),
    title = h("h1", {});
  const fits = (o, but) =>
    (but === "search" || !chosen.search || o.name.toLowerCase().includes(chosen.search.toLowerCase())) &&
    kind.apart.every(([f]) => f === but || !chosen[f] || String(o[f]) === chosen[f]) &&
    (sold === null || ((o.from === null || o.from <= sold + 1) && (o.to === null || o.to >= sold)));
  const orders = [
    ["from", "Year, oldest first"],
    ["name", "By name"],
    ...kind.measures.map(([f, t]) => [f, t + ", highest first"]),
  ];
  const sorted = (list) =>
    [...list].sort((a, b) =>
      order === "name"
        ? a.name.localeCompare(b.name)
        : order === "from"
          ? (a.from ?? 9999) - (b.from ?? 9999) || a.name.localeCompare(b.name)
          : (b[order] ?? -1) - (a[order] ?? -1),
    );
  const search = h("input", {
    type: "search",
    "data-search": "",
    class: "browse-search",
    placeholder: `Search ${count(all.length, kind.noun, kind.plural)}`,
    "aria-label": "Search by name",
    value: chosen.search,
    oninput: () => {
      chosen.search = search.value;
      draw();
    },
  });
  const orderBox = h(
    "select",
    {
      "aria-label": "Order",
      onchange: () => {
        order = orderBox.value;
        keep("depot.order", order);
        draw();
      },
    },
    orders.map(([v, t]) => h("option", { value: v, selected: v === order }, t)),
  );
  const views = makeViews(view, (v) => {
    view = v;
    keep("depot.view", v);
    draw();
  });

  function draw() {
    address.change(
      {
        q: chosen.search,
        year: sold === null ? "" : String(sold),
        ...Object.fromEntries(kind.apart.map(([f]) => [f, chosen[f]])),
      },
      { quiet: true },
    );
    const seen = sorted(all.filter((o) => fits(o)));
    replace(
      title,
      words(name),
      h(
        "span",
        { class: "note" },
        seen.length === all.length
          ? all.length.toLocaleString("en")
          : `${seen.length.toLocaleString("en")} of ${all.length.toLocaleString("en")}`,
      ),
    );
    page.status(count(seen.length, kind.noun, kind.plural));
    drawSide();
    drawChart(seen);
    replace(
      room,
      !seen.length
        ? h("p", { class: "note" }, "Nothing found.")
        : view === "table"
          ? h("div", { class: "depot-list" }, tableOf(kind, seen))
          : tilesOf(page, kind, seen, (o) => {
              at = o;
              drawChart(seen);
            }),
    );
  }
  function drawSide() {
    replace(
      side,
      kind.apart.map(([field, words1]) => {
        const counts = new Map();
        for (const o of all)
          if (o[field] !== null && o[field] !== undefined && o[field] !== "" && fits(o, field))
            counts.set(String(o[field]), (counts.get(String(o[field])) || 0) + 1);
        if (counts.size < 2 && !chosen[field]) return null;
        const total = [...counts.values()].reduce((a, b) => a + b, 0);
        const row = (value, text, n) =>
          h(
            "button",
            {
              type: "button",
              class: "facet",
              "aria-pressed": String(chosen[field] === value),
              onclick: () => {
                chosen[field] = value;
                draw();
              },
            },
            h("span", { class: "facet-name" }, text),
            h("span", { class: "facet-files" }, n.toLocaleString("en")),
          );
        return h(
          "div",
          { class: "facet-group", role: "group", "aria-label": words1 },
          h("h2", {}, words1),
          row("", "All", total),
          [...counts]
            .sort((a, b) => b[1] - a[1])
            .slice(0, 12)
            .map(([value, n]) => row(value, words(value), n)),
        );
      }),
    );
  }
  // Sold in: a year, or any.
  const output = h("b", {}),
    slider = h("input", {
      type: "range",
      min: Math.floor(years[0]),
      max: Math.ceil(years[1]),
      step: 1,
      value: sold ?? Math.ceil(years[1]),
      "aria-label": "Sold in the year",
      oninput: () => {
        any.checked = false;
        sold = Number(slider.value);
        tell();
        draw();
      },
    });
  const any = h("input", {
    type: "checkbox",
    checked: sold === null,
    onchange: () => {
      sold = any.checked ? null : Number(slider.value);
      tell();
      draw();
    },
  });
  function tell() {
    output.textContent = sold === null ? "any year" : String(sold);
  }
  tell();
  function drawChart(seen) {
    replace(
      chartRoom,
      chart(
        all,
        seen,
        kind.measures[0],
        years,
        at,
        (o) => {
          at = o;
          draw();
          document.getElementById("object-" + all.indexOf(o))?.scrollIntoView({ block: "nearest" });
        },
        Math.max(300, chartRoom.clientWidth - 34),
      ),
    );
  }
  all.forEach((o, i) => {
    o.id = "object-" + i;
  });
  replace(
    page.target,
    h(
      "div",
      { class: "browse" },
      makeSide(
        h(
          "div",
          { class: "depot-years facet-group" },
          h("label", {}, "Sold in", output, slider),
          h("label", {}, h("span", {}, any, " any year")),
        ),
        side,
      ),
      h("div", {}, chartRoom, h("div", { class: "browse-head" }, title, search, orderBox, views), room),
    ),
  );
  draw();
  const sized = new ResizeObserver(() => drawChart(all.filter((o) => fits(o)))); // text keeps its size
  sized.observe(page.target);
  page.signal.addEventListener("abort", () => sized.disconnect());
}

// year is a month such as 1931-07 as a number.
function year(text) {
  const [y, m] = String(text || "")
    .split("-")
    .map(Number);
  return Number.isFinite(y) && y > 0 ? y + ((m || 1) - 1) / 12 : null;
}

// usualYears are the years of the axis. Three carts of the year 1 must not stretch it
// over two thousand years: isolated objects long before or after the others, one of four or
// a few of many, are drawn at the edge.
function usualYears(all) {
  const begins = all
    .map((o) => o.from)
    .filter((t) => t !== null)
    .sort((a, b) => a - b);
  if (!begins.length) return [1900, 2000];
  const n = begins.length,
    few = n > 3 ? 1 : 0,
    low = begins[Math.max(few, Math.floor(n / 20))],
    high = begins[Math.min(n - 1 - few, Math.ceil(n * 0.98) - 1)];
  return [low - begins[0] > 60 ? low - 10 : begins[0], begins.at(-1) - high > 60 ? high + 10 : begins.at(-1)].map(
    (v, i) => (i ? Math.ceil(v / 10) * 10 : Math.floor(v / 10) * 10),
  );
}

// chart draws a dot for each object at the year of its introduction.
function chart(all, seen, [name, title, unit], [first, last], at, choose, width) {
  const drawn = all.filter((o) => o.from !== null && o[name] !== null && o[name] !== undefined);
  const on = new Set(seen),
    list = seen
      .filter((o) => o[name] > 0)
      .map((o) => o[name])
      .sort((a, b) => a - b);
  const most = Math.max(1, list.at(-1) ?? 1),
    height = 200,
    x = (t) => 44 + ((Math.min(Math.max(t, first), last) - first) / Math.max(1, last - first)) * (width - 60),
    y = (v) => height - 24 - Math.min(1, v / most) * (height - 44);
  const by = [1, 2, 5, 10].map((f) => f * 10 ** Math.floor(Math.log10(most / 3))).find((v) => v >= most / 4) || 1;
  const lines = Array.from({ length: Math.floor(most / by) + 1 }, (_, i) => i * by).map((v) => [
    svg("line", { x1: 44, x2: width - 16, y1: y(v), y2: y(v), class: "depot-line" }),
    svg("text", { x: 36, y: y(v) + 4, "text-anchor": "end" }, v.toLocaleString("en")),
  ]);
  const step = [10, 20, 50, 100, 200, 500].find((s) => (last - first) / s < width / 70) || 1000;
  const years = Array.from(
    { length: Math.floor((last - first) / step) + 1 },
    (_, i) => Math.ceil(first / step) * step + i * step,
  )
    .filter((t) => t <= last)
    .map((t) => svg("text", { x: x(t), y: height - 6, "text-anchor": "middle" }, String(t)));
  const dots = drawn
    .filter((o) => !on.has(o))
    .concat(drawn.filter((o) => on.has(o)))
    .map((o) =>
      svg(
        "circle",
        {
          cx: x(o.from),
          cy: y(o[name]),
          r: o === at ? 6 : 3.5,
          class: "depot-dot" + (on.has(o) ? " on" : ""),
          onclick: on.has(o) ? () => choose(o) : null,
        },
        svg(
          "title",
          {},
          `${o.name}: ${number(o[name], unit)}, ${Math.floor(o.from)}–${o.to && o.to < 2900 ? Math.floor(o.to) : ""}`,
        ),
      ),
    );
  const end = at && Math.min(last, at.to && at.to < 2900 ? at.to : last);
  return [
    h(
      "div",
      { class: "depot-head" },
      h("h2", {}, `${title} by year of sale`),
      h("span", { class: "depot-legend" }, h("i", {}), "in the list", h("i", { class: "other" }), "everything else"),
    ),
    svg(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": `${title}${unit ? " in " + unit : ""} of ${drawn.length} objects over the years`,
      },
      lines,
      years,
      at &&
        at.from !== null && [
          svg("line", { class: "depot-span", x1: x(at.from), x2: x(end), y1: y(at[name]), y2: y(at[name]) }),
          svg(
            "text",
            {
              class: "depot-name",
              x: x(at.from) - 6,
              y: y(at[name]) - 10,
              "text-anchor": x(at.from) > width / 2 ? "end" : "start",
            },
            `${at.name}, ${number(at[name], unit)}, ${Math.floor(at.from)}–${at.to && at.to < 2900 ? Math.floor(at.to) : ""}`,
          ),
        ],
      dots,
    ),
  ];
}

// atOnce is the number of tiles that are made before the user scrolls to the last.
const atOnce = 140;

function tilesOf(page, kind, list, hovered) {
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

function tableOf(kind, list) {
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
