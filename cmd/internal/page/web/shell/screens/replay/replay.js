// A replay or ghost: the driver, the line over the map, charts along the time, splits,
// inputs, and the verdicts of `replay check`.

import { h, replace, styles } from "../../lib/dom.js";
import { saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { makeCard } from "../../widgets/card/card.js";
import { heading } from "./heading.js";
import { runs, splits, inputsOf } from "./tables.js";
import { verdictsOf } from "./verdicts.js";
import { driven } from "./driven.js";

await styles(new URL("./replay.css", import.meta.url));

export async function show(page) {
  const { path } = page;
  page.command("pakbox replay info " + page.what.shell_path);
  const [info, { parquet }, map] = await Promise.all([
    page.ask("replay.info", { path }),
    page.ask("home"),
    page.what.map ? page.ask("what", { path: path + "/" + page.what.map }).catch(() => null) : null,
  ]);
  if (info.ghosts.length) info.nick_spans = (await page.ask("spans", { text: info.ghosts.map((g) => g.nick) })).spans;
  const chosen = (page.query.ghosts || "0")
    .split(",")
    .map(Number)
    .filter((i) => info.ghosts[i]);
  const verdicts = h("section", { class: "sheet", "aria-label": "Is it genuine?" }),
    inputs = h("div", {}),
    middle = h("div", { class: "replay-middle" });
  page.actions(
    saveLink("Save picture", "replay.picture", { path, ghost: chosen[0] ?? 0 }, "run.png", "button"),
    h("a", { class: "button main", href: address.of(path, { tab: "compare" }) }, "Compare with…"),
  );
  replace(
    page.target,
    h(
      "div",
      { class: "with-aside" },
      middle,
      h(
        "div",
        {},
        heading(page, info, map, chosen[0] ?? 0),
        info.ghosts.length > 1 &&
          h(
            "section",
            { class: "sheet", "aria-label": "Runs" },
            h("h2", {}, "Runs", h("span", { class: "aside-note" }, info.ghosts.length)),
            runs(page, info, chosen),
          ),
        chosen.length > 0 && splits(info.ghosts, chosen),
        verdicts,
        h(
          "section",
          { class: "sheet", "aria-label": "About the file" },
          h(
            "details",
            {},
            h("summary", {}, "All facts, inputs, telemetry"),
            makeCard(page.what.card, { without: ["time", "race_time", "nick", "map_name"] }),
            inputs,
            h(
              "p",
              {},
              "Save telemetry: ",
              ["csv", "npy", parquet && "parquet"]
                .filter(Boolean)
                .map((kind) => [
                  saveLink(kind, "replay.telemetry.file", { path, ghost: chosen[0] ?? 0, kind }, "telemetry." + kind),
                  " ",
                ]),
            ),
          ),
        ),
      ),
    ),
  );
  const first = info.ghosts[chosen[0] ?? 0];
  if (first) page.status(`${count(first.sample_count, "sample")}, ${count(first.input_count, "input")}`);
  await Promise.all([
    part(page, verdicts, async () => verdictsOf(await page.ask("replay.check", { path }))),
    part(page, inputs, async () => inputsOf(await page.ask("replay.inputs", { path }), chosen[0] ?? 0)),
    part(page, middle, async () => driven(page, info, chosen)),
  ]);
}

async function part(page, target, make) {
  try {
    replace(target, await make());
  } catch (error) {
    if (!page.signal.aborted) replace(target, h("p", { class: "note" }, error.message));
  }
}
