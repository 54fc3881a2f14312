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
    h("div", { class: "map-stages" }, h("div", { class: "map-stage map-head" }, thumbnail, heading(page.what)),
      h("div", { class: "map-stage" }, plan, h("a", { class: "map-open", href: address.of(path, { tab: "3d" }) }, "Look around in 3D"))),
    numbers(page.what),
    changes(page),
    h("div", { class: "map-split" },
      sheet("Checks", lint), sheet("Size", budget), sheet("What it needs", needs)),
    h("div", { class: "sheet map-facts" }, makeCard(page.what.card, { without: shownAbove })));
  await Promise.all([
    picture(page, thumbnail, "thumbnail", "image/jpeg", "Thumbnail"),
    picture(page, plan, "map.picture", "image/svg+xml", "Plan of the map from above", address.of(path, { tab: "3d" })),
    part(page, lint, async () => {
      const answer = await page.ask("map.lint", { path });
      return answer.findings.length ? makeFindings(answer.findings) : h("p", { class: "good" }, "No problems found.");
    }),
    part(page, budget, async () => sizeBars(await page.ask("map.size", { path }))),
    part(page, needs, async () => dependencies(await page.ask("map.deps", { path }))),
  ]);
}

// shownAbove are the facts that the top of the page shows.
const shownAbove = ["name", "author_nick", "medals", "medals.author", "medals.gold", "medals.silver", "medals.bronze", "checkpoints", "laps", "mood", "collection_name", "game", "mode", "title_id"];

function sheet(title, ...content) {
  return h("section", { class: "sheet", "aria-label": title, tabindex: "0" }, h("h2", {}, title), content);
}

// heading is the map's name in its colours, and who made it, on the thumbnail's foot.
function heading({ title, card, facts }) {
  const line = (name) => card.find((l) => l.name === name);
  const name = line("name"), author = line("author_nick");
  const who = author?.spans ? spans(author.spans, { stage: true }) : author?.text || facts.author_login;
  return h("div", { class: "map-title" }, h("h1", {}, name?.spans ? spans(name.spans, { stage: true }) : title),
    who && h("p", {}, "by ", who, facts.author_zone && h("span", { class: "map-zone" }, " " + facts.author_zone.split("|").at(-1))));
}

// numbers are what a driver asks first: times to beat, checkpoints, laps, mood.
function numbers({ facts }) {
  const medals = ["author", "gold", "silver", "bronze"].filter((m) => facts.medals?.[m] !== null && facts.medals?.[m] !== undefined);
  const cell = (label, value) => h("div", { class: "map-number" }, h("dt", {}, label), h("dd", {}, value));
  const chips = [facts.collection_name, facts.game, facts.mode, facts.title_id].filter(Boolean);
  return h("div", { class: "sheet map-numbers" },
    medals.length > 0 && h("dl", { class: "map-medals" }, medals.map((m) => h("div", { class: "map-number" }, h("dt", {}, h("span", { class: "medal medal-" + m, "aria-hidden": "true" }), m[0].toUpperCase() + m.slice(1), " "), h("dd", {}, time(facts.medals[m]))))),
    h("dl", {}, facts.checkpoints !== null && facts.checkpoints !== undefined && cell("Checkpoints", facts.checkpoints), facts.is_lap_race && cell("Laps", facts.laps), facts.mood && cell("Mood", facts.mood)),
    chips.length > 0 && h("ul", { class: "chips", "aria-label": "Kind of map" }, [...new Set(chips)].map((c) => h("li", {}, c))));
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
    h("table", { class: "plain map-parts" }, h("caption", { class: "unseen" }, "What fills it"),
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
