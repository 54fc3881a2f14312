// All checks of a file, as `pakbox verify` makes them.

import { h, replace, styles } from "../../lib/dom.js";
import { saveLink } from "../../lib/api.js";
import { size, count } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";
import { makeFindings } from "./findings.js";

await styles(new URL("./check.css", import.meta.url));

export async function show(page) {
  page.command("pakbox verify " + page.what.shell_path);
  replace(page.target, h("p", { class: "note", role: "status" }, "Reading everything…"));
  const answer = await page.ask("verify", { path: page.path });
  const unchecked = answer.unchecked || 0,
    look = answer.ok ? "good" : unchecked && !answer.findings.length ? "note" : "bad";
  const spoilt = new Set(answer.findings.filter((f) => f.severity === "error" && f.entry).map((f) => f.entry)).size;
  const verdicts = [
    spoilt > 0 && [
      "bad",
      `${spoilt.toLocaleString("en")} of ${count(answer.entries, "entry", "entries")} cannot be read whole`,
    ],
    answer.entries > 0 &&
      !spoilt && [
        unchecked ? "note" : "good",
        `${count(answer.entries - unchecked, "entry", "entries")} read, ${size(answer.bytes || 0)}`,
      ],
    unchecked > 0 && ["note", `${unchecked.toLocaleString("en")} could not be checked`],
    ...Object.entries(words).map(
      ([name, [yes, no]]) => answer[name] !== undefined && [answer[name] ? "good" : "bad", answer[name] ? yes : no],
    ),
    answer.body_bytes > 0 && [
      answer.decoded_bytes === answer.body_bytes ? "good" : "note",
      answer.decoded_bytes === answer.body_bytes
        ? "Every byte of it is understood"
        : `${((answer.decoded_bytes / answer.body_bytes) * 100).toFixed(1)} % of its bytes are understood`,
    ],
  ];
  replace(
    page.target,
    h(
      "div",
      { class: "check" },
      h(
        "section",
        { class: "sheet", "aria-label": "Verdict" },
        h(
          "h1",
          { class: look },
          icon(answer.ok ? "check" : look === "bad" ? "warning" : "unknown", 22),
          answer.ok
            ? "Everything is as it should be"
            : look === "note"
              ? "Not all of it could be checked"
              : "Something is wrong",
        ),
        h(
          "ul",
          {},
          verdicts
            .filter(Boolean)
            .map(([kind, text]) =>
              h(
                "li",
                {},
                h(
                  "span",
                  { class: kind },
                  icon(kind === "good" ? "check" : kind === "bad" ? "warning" : "unknown", 16),
                ),
                text,
              ),
            ),
        ),
        look === "bad" &&
          answer.entries > 1 &&
          page.what.format !== "gbx" &&
          h(
            "div",
            { class: "bar" },
            saveLink(
              "Save the files that are whole",
              "left",
              { path: page.path },
              page.path.split("/").at(-1) + ".zip",
              "button main",
            ),
          ),
      ),
      answer.findings.length > 0 &&
        h(
          "section",
          { class: "sheet check-findings", "aria-label": "Findings", tabindex: "0" },
          makeFindings(answer.findings),
        ),
    ),
  );
}

// words describe the checks of some formats, for success and for failure.
const words = {
  identical: ["Saved again it is the same file, byte for byte", "Saved again it is another file"],
  recoded: ["Every value can be read and written back exactly", "Some values cannot be written back exactly"],
};
