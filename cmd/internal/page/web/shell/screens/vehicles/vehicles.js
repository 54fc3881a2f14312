// A pakset as a depot: the objects for sale in a year, with pictures and prices, a chart of
// a property over the years, and filters. One screen for vehicles, buildings, factories and
// ways.

import { h, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { keep, kept } from "../../lib/keep.js";
import { makeSide, makeViews } from "../../widgets/side/side.js";
import { kinds, words } from "./kinds.js";
import { year, usualYears } from "./years.js";
import { chart } from "./chart.js";
import { tilesOf, tableOf } from "./objects.js";

await Promise.all(
  ["./vehicles.css", "../../widgets/facets/facets.css"].map((name) => styles(new URL(name, import.meta.url))),
);

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

  function draw({ drawn = false } = {}) {
    address.change(
      {
        q: chosen.search,
        year: sold === null ? "" : String(sold),
        ...Object.fromEntries(kind.apart.map(([f]) => [f, chosen[f]])),
      },
      drawn ? { drawn } : { quiet: true },
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
                draw({ drawn: true });
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
