// The catalogue of the games' blocks, as `block` lists it: search by name; cells, road
// ends and mirror image of each block.

import { h, replace } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { count, shell } from "../../lib/format.js";
import { makeList } from "../../widgets/list/list.js";

export const whole = true;

const sure = { A: "measured", B: "one good source", C: "follows a rule", D: "a guess" };
const byText = (of) => ({ cell: of, sort: (r) => String(of(r)).toLowerCase() });

const blockColumns = [
  { title: "Block", ...byText((b) => b.name), width: "minmax(20ch, 2fr)" },
  { title: "Environment", ...byText((b) => b.environment), width: "14ch" },
  { title: "Cells", cell: (b) => b.ground || b.air || "unknown", sort: (b) => b.cell_count, width: "10ch" },
  { title: "Family", ...byText((b) => b.family), width: "12ch" },
  { title: "Role", ...byText((b) => (b.role === "none" ? "" : b.role)), width: "12ch" },
  { title: "Surface", ...byText((b) => b.surface || ""), width: "10ch" },
  { title: "Road ends", ...byText((b) => b.ends.join(", ")), width: "minmax(16ch, 2fr)" },
  {
    title: "Mirror image",
    ...byText((b) => (b.mirror === b.name ? "itself" : b.mirror || "not known")),
    width: "minmax(12ch, 1fr)",
  },
  { title: "Confidence", ...byText((b) => sure[b.confidence] || ""), width: "16ch" },
];
const familyColumns = [
  { title: "Environment", ...byText((f) => f.environment), width: "minmax(12ch, 1fr)" },
  { title: "Family", ...byText((f) => f.family), width: "minmax(12ch, 1fr)" },
  { title: "Blocks", cell: (f) => f.blocks.toLocaleString("en"), sort: (f) => f.blocks, number: true, width: "10ch" },
  {
    title: "With a mirror image",
    cell: (f) => f.mirrored.toLocaleString("en"),
    sort: (f) => f.mirrored,
    number: true,
    width: "20ch",
  },
];

export async function show(page) {
  const { families } = await page.ask("block");
  const environments = [...new Set(families.map((f) => f.environment))];
  const room = h("div", { class: "list-room" });
  const where = h(
    "select",
    { "aria-label": "Environment", onchange: () => look() },
    h("option", { value: "" }, "All environments"),
    environments.map((e) => h("option", { value: e, selected: e === page.query.environment }, e)),
  );
  const search = h("input", {
    type: "search",
    "data-search": "",
    class: "grow",
    placeholder: "Name of a block or a part of it: RoadTechCurve",
    "aria-label": "Search blocks by name",
    value: page.query.q || "",
    oninput: () => look(),
  });
  let turn = 0;
  async function look() {
    const mine = ++turn,
      word = search.value.trim(),
      environment = where.value;
    address.change({ q: word, environment }, { quiet: true });
    page.command(
      ["pakbox block", word && shell(word), environment && "--environment " + environment].filter(Boolean).join(" "),
    );
    try {
      const answer = await page.ask("block", { word, environment });
      if (mine !== turn) return;
      const list = makeList({
        label: word ? "Blocks" : "Families of blocks",
        columns: word ? blockColumns : familyColumns,
      });
      list.rows(word ? answer.blocks : answer.families);
      replace(room, list.element);
      page.status(
        word
          ? count(answer.blocks.length, "block")
          : count(
              answer.families.reduce((sum, f) => sum + f.blocks, 0),
              "block",
            ),
      );
    } catch (error) {
      if (mine !== turn || error.name === "AbortError") return;
      replace(
        room,
        h(
          "div",
          { class: "nothing" },
          h("p", {}, h("b", {}, error.message)),
          error.hints.map((t) => h("p", { class: "note" }, t)),
        ),
      );
      page.status("");
    }
  }
  replace(
    page.target,
    h("h1", { class: "unseen" }, "Catalogue of blocks"),
    h("div", { class: "bar over-list" }, search, where),
    room,
  );
  await look();
}
