// A map: the answers of `info`, `map size`, `map lint` and `map deps`, its picture, the
// plan from above and a view of its blocks.

import { h, replace, styles } from "../../lib/dom.js";
import { blob, saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { size, count, spans, time } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";
import { planOf } from "../../lib/plan.js";
import { makeCard } from "../../widgets/card/card.js";
import { pictureOf } from "../../widgets/scene/build.js";
import { changeMenu } from "../../widgets/change/change.js";

await styles(new URL("./map.css", import.meta.url));

export async function show(page) {
  const { path } = page,
    to3d = address.of(path, { tab: "3d" });
  page.command(page.what.command);
  const thumbnail = h("div", { class: "map-thumbnail" }),
    plan = h("div", { class: "map-plan" }),
    space = h("div", { class: "map-space" });
  const lint = h("div", {}, h("h2", {}, "…")),
    budget = h("div", {}),
    needs = h("div", {});
  page.actions(
    saveLink("Save picture", "map.picture", { path }, path.split("/").at(-1).split(".")[0] + ".png", "button"),
    changeMenu(page),
  );
  replace(
    page.target,
    h(
      "div",
      { class: "map-stages" },
      h("div", { class: "map-stage map-head" }, thumbnail, heading(page.what)),
      h("div", { class: "map-stage" }, plan, caption("From above", to3d)),
      h("div", { class: "map-stage" }, space, caption("3D, schematic", to3d)),
    ),
    numbers(page.what),
    h("div", { class: "map-split" }, sheet("Checks", lint), sheet("Size", budget), sheet("Dependencies", needs)),
    h(
      "details",
      { class: "sheet map-facts" },
      h("summary", {}, h("b", {}, "All facts and storage"), storageLine(page.what)),
      makeCard(page.what.card, { without: shownAbove }),
    ),
  );
  await Promise.all([
    picture(
      page,
      thumbnail,
      () => blob("thumbnail", { path }, "image/jpeg", { signal: page.signal }),
      "Thumbnail",
    ).catch(() => {}),
    picture(page, plan, () => planOf(path, page.signal), "Plan of the map from above", to3d),
    part(page, space, async () =>
      h("a", { href: to3d, "aria-label": "Look around in 3D" }, await pictureOf(page, path)),
    ),
    part(page, lint, async () => checks(page, (await page.ask("map.lint", { path })).findings)),
    part(page, budget, async () => sizeBars(await page.ask("map.size", { path }))),
    part(page, needs, async () => dependencies(await page.ask("map.deps", { path }), page.what.facts)),
  ]);
}

// glance shows a map with only its name, facts and thumbnail: the static site has
// them before it has the program.
export function glance(target, { facts, name, author, thumbnail }) {
  const picture =
    thumbnail &&
    h("img", { src: URL.createObjectURL(new Blob([thumbnail], { type: "image/jpeg" })), alt: "Thumbnail" });
  const card = [
    { name: "name", spans: name },
    { name: "author_nick", spans: author.length ? author : null },
  ];
  replace(
    target,
    h(
      "div",
      { class: "panel" },
      h(
        "div",
        { class: "map-stages" },
        h(
          "div",
          { class: "map-stage map-head" },
          h("div", { class: "map-thumbnail" }, picture),
          heading({ card, facts }),
        ),
        h("div", { class: "map-stage" }),
        h("div", { class: "map-stage" }),
      ),
      numbers({ facts }),
    ),
  );
}

// shownAbove are the facts that the top of the page shows.
const shownAbove = [
  "name",
  "author_nick",
  "medals",
  "medals.author",
  "medals.gold",
  "medals.silver",
  "medals.bronze",
  "checkpoints",
  "laps",
  "mood",
  "collection_name",
  "game",
  "mode",
  "title_id",
];

function sheet(title, content) {
  return h("section", { class: "sheet", "aria-label": title, tabindex: "0" }, content);
}

function caption(text, href) {
  return [
    h("span", { class: "stage-caption" }, text),
    h("a", { class: "stage-open", href, "aria-label": text + ", large" }, icon("whole", 16)),
  ];
}

// heading is the map's name in its colours, and its author, over the thumbnail.
function heading({ title, card, facts }) {
  const line = (name) => card.find((l) => l.name === name);
  const name = line("name"),
    author = line("author_nick");
  const who = author?.spans ? spans(author.spans, { stage: true }) : author?.text || facts.author_login;
  return h(
    "div",
    { class: "map-title" },
    h("h1", {}, name?.spans ? spans(name.spans, { stage: true }) : title),
    who &&
      h(
        "p",
        {},
        "by ",
        who,
        facts.author_zone && h("span", { class: "map-zone" }, facts.author_zone.split("|").at(-1)),
      ),
  );
}

// numbers are the facts for drivers: times to beat, checkpoints, laps, mood.
function numbers({ facts }) {
  const medals = ["author", "gold", "silver", "bronze"].filter(
    (m) => facts.medals?.[m] !== null && facts.medals?.[m] !== undefined,
  );
  const cell = (label, value) => h("div", { class: "map-number" }, h("dt", {}, label), h("dd", {}, value));
  const chips = [facts.collection_name, facts.game, facts.mode, facts.title_id].filter(Boolean);
  return h(
    "div",
    { class: "sheet map-numbers" },
    medals.length > 0 &&
      h(
        "dl",
        { class: "map-medals" },
        medals.map((m) =>
          h(
            "div",
            { class: "map-number" },
            h(
              "dt",
              {},
              h("span", { class: "medal medal-" + m, "aria-hidden": "true" }),
              m[0].toUpperCase() + m.slice(1),
              " ",
            ),
            h("dd", {}, time(facts.medals[m])),
          ),
        ),
      ),
    h(
      "dl",
      {},
      facts.checkpoints !== null && facts.checkpoints !== undefined && cell("Checkpoints", facts.checkpoints),
      facts.is_lap_race && cell("Laps", facts.laps),
      facts.mood && cell("Mood", facts.mood),
    ),
    chips.length > 0 &&
      h(
        "ul",
        { class: "chips", "aria-label": "Kind of map" },
        [...new Set(chips)].map((c) => h("li", {}, c)),
      ),
  );
}

function storageLine({ card }) {
  return h(
    "span",
    { class: "note" },
    card
      .filter((l) => l.storage && l.text)
      .slice(0, 4)
      .map((l) => l.text)
      .join(", "),
  );
}

// part fills one part of the page; an error there does not affect the others.
async function part(page, target, make) {
  try {
    replace(target, await make());
  } catch (error) {
    if (!page.signal.aborted) replace(target, h("p", { class: "note" }, error.message));
  }
}

async function picture(page, target, get, alt, href) {
  await part(page, target, async () => {
    const source = URL.createObjectURL(await get());
    const image = h("img", { src: source, alt, onload: () => URL.revokeObjectURL(source) });
    return href ? h("a", { href }, image) : image;
  });
}

const worst = ["error", "warning", "note"],
  drawings = { error: "warning", warning: "warning", note: "unknown" },
  looks = { error: "bad", warning: "warning", note: "note" };

// checks are the findings by rule, the worst first, with the meaning of each rule.
async function checks(page, findings) {
  const groups = new Map();
  for (const f of findings) groups.set(f.rule, [...(groups.get(f.rule) || []), f]);
  const list = [...groups].sort(([, a], [, b]) => worst.indexOf(a[0].severity) - worst.indexOf(b[0].severity));
  const { rules } = list.length ? await page.ask("rules", { name: list.map(([name]) => name) }) : { rules: [] };
  const meaning = (name) =>
    rules
      .find((r) => r.rule === name)
      ?.means.split(/[.:] /)[0]
      .replace(/\.$/, "") || name;
  const first = list[0]?.[1],
    bad = first && first[0].severity !== "note";
  const title = !list.length
    ? "No problems found"
    : !bad
      ? "No problems, a few notes"
      : count(findings.filter((f) => f.severity !== "note").length, "thing") + " to look at";
  return [
    h(
      "div",
      { class: "map-head-line" },
      h(
        "h2",
        {},
        h("span", { class: bad ? looks[first[0].severity] : "good" }, icon(bad ? "warning" : "check", 18)),
        title,
      ),
      h("span", { class: "note" }, "map lint"),
    ),
    h(
      "ul",
      { class: "map-verdicts" },
      list.map(([name, all]) =>
        h(
          "li",
          {},
          h(
            "details",
            {},
            h(
              "summary",
              { class: "line" },
              h("span", { class: "verdict-icon " + looks[all[0].severity] }, icon(drawings[all[0].severity], 16)),
              h("span", {}, meaning(name)),
              h("span", { class: "map-show" }, all.length > 1 ? "Show " + all.length : "Show"),
            ),
            h(
              "ul",
              {},
              all.slice(0, 100).map((f) => h("li", {}, f.message)),
            ),
          ),
        ),
      ),
    ),
    page.what.facts.password === "no" && h("p", { class: "note" }, "No password: opens in the editor."),
  ];
}

// atOnce is the number of parts of a map with a colour of their own.
const atOnce = 4;

function sizeBars(answer) {
  const of = (p) => p.stored_bytes ?? p.bytes,
    list = parts(answer.parts),
    shown = list.slice(0, atOnce),
    rest = list.slice(atOnce);
  if (rest.length)
    shown.push({
      name: rest.length === 1 ? rest[0].name : `${rest.length} other parts`,
      bytes: rest.reduce((sum, p) => sum + of(p), 0),
    });
  const all = Math.max(
      1,
      shown.reduce((sum, p) => sum + of(p), 0),
    ),
    limit = answer.limits.maniaplanet;
  return h(
    "div",
    {},
    h("div", { class: "map-head-line" }, h("h2", {}, "Size"), h("span", { class: "note" }, size(answer.size))),
    h(
      "div",
      { class: "bar-parts", "aria-hidden": "true" },
      shown.map((p, i) => h("div", { class: "part-" + i, style: { flexGrow: String(of(p) / all) } })),
    ),
    h(
      "table",
      { class: "map-parts" },
      h("caption", { class: "unseen" }, "Largest parts"),
      h(
        "tbody",
        {},
        shown.map((p, i) =>
          h(
            "tr",
            {},
            h("td", {}, h("span", { class: "swatch part-" + i })),
            h("td", {}, p.name),
            h("td", { class: "number" }, size(of(p))),
          ),
        ),
      ),
    ),
    rest.length > 1 &&
      h(
        "details",
        {},
        h("summary", { class: "note" }, "Other parts"),
        h(
          "table",
          { class: "map-parts" },
          h(
            "tbody",
            {},
            rest.map((p) => h("tr", {}, h("td", {}), h("td", {}, p.name), h("td", { class: "number" }, size(of(p))))),
          ),
        ),
      ),
    h(
      "p",
      { class: "note" },
      `${Math.round((answer.size / limit) * 100)} % of the limit of ManiaPlanet servers, ${Math.round((answer.size / answer.limits.trackmania) * 100)} % of the limit of Trackmania.`,
    ),
  );
}

// parts are the largest parts, those of the body instead of the body.
function parts(list) {
  const flat = list.flatMap((p) => (p.name === "body" && p.parts.length ? p.parts : [p]));
  return flat.sort((x, y) => (y.stored_bytes ?? y.bytes) - (x.stored_bytes ?? x.bytes));
}

const kindWords = {
  mod: ["mod", "picture"],
  skin: ["sign or skin", "picture"],
  item: ["item", "item"],
  block: ["block", "item"],
  listed: ["listed file", "file"],
  music: ["music", "sound"],
};

// dependencies are the files that a map needs, by kind and source.
function dependencies({ dependencies: list }, facts) {
  const head = (n) => h("div", { class: "map-head-line" }, h("h2", {}, "Needs"), h("span", { class: "note" }, n));
  const inside =
    facts.embedded_items > 0 &&
    h(
      "li",
      {},
      h(
        "div",
        { class: "line" },
        h("span", { class: "good" }, icon("check", 16)),
        h("span", {}, count(facts.embedded_items, "file") + " embedded"),
        h("span", { class: "note" }, "in the file"),
      ),
    );
  if (!list.length) return [head(""), h("ul", { class: "map-needs" }, inside, h("li", {}, "Only the game itself."))];
  const groups = new Map();
  for (const d of list) {
    const host = d.url ? hostOf(d.url) : d.present ? "here" : d.kind === "item" ? "not embedded" : "no address",
      key = d.kind + " " + host;
    groups.set(key, { kind: d.kind, host, list: [...(groups.get(key)?.list || []), d] });
  }
  return [
    head(count(list.length, "file")),
    h(
      "ul",
      { class: "map-needs" },
      [...groups.values()].map(({ kind, host, list: all }) => {
        const [word, drawing] = kindWords[kind] || [kind, "file"];
        return h(
          "li",
          {},
          h(
            "details",
            {},
            h(
              "summary",
              { class: "line" },
              icon(drawing, 16),
              h(
                "span",
                {},
                all.length === 1
                  ? `${word[0].toUpperCase() + word.slice(1)} ${all[0].path.split("\\").at(-1)}`
                  : count(all.length, word, word.replace("sign or skin", "signs and skins").replace(/([^s])$/, "$1s")),
              ),
              h("span", { class: "note" }, host),
            ),
            h(
              "ul",
              {},
              all.map((d) => h("li", { class: "mono" }, d.path)),
            ),
          ),
        );
      }),
      inside,
    ),
  ];
}

function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
