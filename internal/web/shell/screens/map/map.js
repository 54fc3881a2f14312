// A map: what `info`, `map size`, `map lint` and `map deps` say, its picture, and
// the plan from above.

import { h, replace, styles } from "../../lib/dom.js";
import { blob } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { size, count, spans, time } from "../../lib/format.js";
import { makeCard } from "../../widgets/card/card.js";
import { makeFindings } from "../check/findings.js";
import { changes } from "../change/change.js";

await styles(new URL("./map.css", import.meta.url));

export async function show(page) {
  const { path } = page;
  page.command(page.what.command);
  const thumbnail = h("div", { class: "map-thumbnail" }), plan = h("div", { class: "map-plan" });
  const lint = h("div", {}, h("p", { class: "note" }, "…")), budget = h("div", {}), needs = h("div", {});
  replace(page.target,
    heading(page.what),
    h("div", { class: "split map-split" },
      h("div", {}, makeCard(page.what.card), changes(page),
        h("h2", {}, "Checks"), lint,
        h("h2", {}, "Size"), budget,
        h("h2", {}, "What it needs"), needs),
      h("div", { class: "map-side" }, thumbnail, h("div", {}, h("h2", {}, "From above"), plan))));
  await Promise.all([
    picture(page, thumbnail, "thumbnail", "image/jpeg", "Thumbnail"),
    picture(page, plan, "map.picture", "image/svg+xml", "Plan of the map from above", address.of(path, { tab: "3d" })),
    part(page, lint, async () => {
      const answer = await page.ask("map.lint", { path });
      return answer.findings.length ? makeFindings(answer.findings) : h("p", { class: "good" }, "Nothing to mend.");
    }),
    part(page, budget, async () => sizeBars(await page.ask("map.size", { path }))),
    part(page, needs, async () => dependencies(await page.ask("map.deps", { path }))),
  ]);
}

// heading is the map's name in its colours, and its medals.
function heading({ title, card, facts }) {
  const name = card.find((line) => line.label === "Map");
  const medals = ["author", "gold", "silver", "bronze"].filter((m) => facts.medals?.[m] !== null && facts.medals?.[m] !== undefined);
  return h("div", { class: "map-head" }, h("h1", {}, name?.spans ? spans(name.spans) : title),
    medals.length > 0 && h("ul", { class: "map-medals", "aria-label": "Medals" }, medals.map((m) => h("li", {}, h("span", { class: "medal medal-" + m, "aria-hidden": "true" }), m + " ", h("b", {}, time(facts.medals[m]))))));
}

// part fills one place of the page; what goes wrong there stays there.
async function part(page, target, make) {
  try {
    replace(target, await make());
  } catch (error) {
    if (!page.signal.aborted) replace(target, h("p", { class: "bad" }, error.message));
  }
}

async function picture(page, target, name, type, alt, href) {
  await part(page, target, async () => {
    const source = URL.createObjectURL(await blob(name, { path: page.path, kind: type === "image/svg+xml" ? "svg" : "" }, type, { signal: page.signal }));
    const image = h("img", { src: source, alt, onload: () => URL.revokeObjectURL(source) });
    return href ? h("a", { href }, image) : image;
  });
}

function sizeBars(answer) {
  const limit = answer.limits.trackmania;
  return h("div", {},
    h("p", {}, size(answer.size), " of ", size(limit), " that a server takes ",
      h("meter", { min: 0, max: limit, high: answer.limits.maniaplanet, value: answer.size, "aria-label": "Size of the file against the limit" })),
    h("table", { class: "plain" }, h("caption", { class: "note" }, "What fills it"),
      h("tbody", {}, parts(answer.parts).slice(0, 8).map((p) => h("tr", {}, h("td", {}, p.name), h("td", { class: "number" }, size(p.stored_bytes ?? p.bytes)))))));
}

// parts are the largest, of the body rather than the body itself.
function parts(list) {
  const flat = list.flatMap((p) => (p.name === "body" && p.parts.length ? p.parts : [p]));
  return flat.sort((x, y) => (y.stored_bytes ?? y.bytes) - (x.stored_bytes ?? x.bytes));
}

function dependencies(answer) {
  if (!answer.dependencies.length) return h("p", { class: "note" }, "Nothing but the game.");
  return h("div", {}, h("p", { class: "note" }, count(answer.dependencies.length, "file")),
    h("ul", { class: "map-needs" }, answer.dependencies.map((d) =>
      h("li", {}, h("span", { class: "note" }, d.kind + " "), h("span", { class: "mono" }, d.path), d.state && h("span", { class: d.state === "missing" ? "bad" : "good" }, " " + d.state)))));
}
