// The tables of a run: the runs of the file, the splits, the inputs.

import { h } from "../../lib/dom.js";
import * as address from "../../lib/address.js";
import { time, count, spans } from "../../lib/format.js";
import { colours } from "../../lib/colours.js";

export function runs(page, info, chosen) {
  return h(
    "div",
    { class: "replay-runs" },
    h(
      "table",
      { class: "plain" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [h("span", { class: "unseen" }, "Shown"), "Time", "Driver", "Respawns", "Recorded"].map((t) =>
            h("th", { scope: "col" }, t),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        info.ghosts.map((g, i) =>
          h(
            "tr",
            {},
            h(
              "td",
              {},
              h("input", {
                type: "checkbox",
                checked: chosen.includes(i),
                "aria-label": "Show run " + i,
                onchange: (event) => {
                  const set = new Set(chosen);
                  if (event.target.checked) set.add(i);
                  else set.delete(i);
                  address.change({ ghosts: [...set].sort((x, y) => x - y).join(",") || "0" });
                },
              }),
              h("span", { class: "replay-dot", style: { background: colours[chosen.indexOf(i)] || "transparent" } }),
            ),
            h("td", { class: "number" }, time(g.race_time)),
            h("td", {}, info.nick_spans?.[i] ? spans(info.nick_spans[i]) : g.nick || g.login),
            h("td", { class: "number" }, g.respawns ?? ""),
            h("td", {}, count(g.sample_count, "sample") + ", " + count(g.input_count, "input")),
          ),
        ),
      ),
    ),
  );
}

// splits are the times at checkpoints: of one run with its sectors, of several with
// the difference to the first.
export function splits(ghosts, chosen) {
  const most = Math.max(0, ...chosen.map((i) => ghosts[i].checkpoints.length)),
    first = ghosts[chosen[0]].checkpoints;
  if (!most) return null;
  const alone = chosen.length === 1,
    place = (k) => (k === most - 1 ? "Finish" : "Checkpoint " + (k + 1));
  const seconds = (ms) => (ms === null || ms === undefined || Number.isNaN(ms) ? "" : (ms / 1000).toFixed(3));
  return h(
    "section",
    { class: "sheet", "aria-label": "Splits" },
    h("h2", {}, "Splits"),
    h(
      "div",
      { class: "replay-rest", tabindex: "0", role: "region", "aria-label": "Times at the checkpoints" },
      h(
        "table",
        { class: "splits" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Place"),
            alone
              ? [h("th", { scope: "col" }, "Time"), h("th", { scope: "col" }, "Sector")]
              : chosen.map((i) => h("th", { scope: "col" }, "run " + i)),
          ),
        ),
        h(
          "tbody",
          {},
          Array.from({ length: most }, (_, k) =>
            h(
              "tr",
              {},
              h("td", {}, place(k)),
              alone
                ? [
                    h("td", {}, time(first[k])),
                    h("td", { class: "second" }, seconds(first[k] - (k ? first[k - 1] : 0))),
                  ]
                : chosen.map((i, n) => {
                    const t = ghosts[i].checkpoints[k];
                    const by =
                      n > 0 && t !== null && t !== undefined && first[k] !== null && first[k] !== undefined
                        ? t - first[k]
                        : null;
                    return h(
                      "td",
                      {},
                      time(t),
                      by !== null &&
                        h(
                          "span",
                          { class: by <= 0 ? "good" : "bad" },
                          ` ${by > 0 ? "+" : "−"}${(Math.abs(by) / 1000).toFixed(3)}`,
                        ),
                    );
                  }),
            ),
          ),
        ),
      ),
    ),
  );
}

export function inputsOf(answer, ghost) {
  const list = answer.ghosts.find((g) => g.ghost === ghost)?.inputs || [];
  if (!list.length) return h("p", { class: "note" }, "None are stored.");
  return h(
    "details",
    {},
    h("summary", {}, count(list.length, "input")),
    h(
      "div",
      { class: "replay-inputs", tabindex: "0", role: "region", "aria-label": "Inputs" },
      h(
        "table",
        { class: "plain" },
        h(
          "tbody",
          {},
          list
            .slice(0, 2000)
            .map((i) =>
              h(
                "tr",
                {},
                h("td", { class: "number" }, time(i.time)),
                h("td", {}, i.name),
                h("td", { class: "number" }, i.value),
              ),
            ),
        ),
      ),
    ),
  );
}
