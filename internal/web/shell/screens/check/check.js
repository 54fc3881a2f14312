// Everything that can be checked in a file, as `pakbox verify` does.

import { h, replace } from "../../lib/dom.js";
import { size, count } from "../../lib/format.js";
import { makeFindings } from "./findings.js";

export async function show(page) {
  page.command("pakbox verify " + page.what.shell_path);
  replace(page.target, h("p", { class: "note", role: "status" }, "Reading everything…"));
  const answer = await page.ask("verify", { path: page.path });
  const unchecked = answer.unchecked || 0;
  replace(page.target,
    h("h1", { class: answer.ok ? "good" : "bad" }, answer.ok ? "Everything is as it should be" : unchecked && !answer.findings.length ? "Not all of it could be checked" : "Something is wrong"),
    h("p", {}, count(answer.entries || 0, "entry", "entries"), ", ", size(answer.bytes || 0), unchecked > 0 && `, ${unchecked} could not be checked`),
    answer.findings.length > 0 && makeFindings(answer.findings),
    h("dl", { class: "facts" }, Object.entries(answer).filter(([name, value]) => !shown.has(name) && typeof value !== "object")
      .map(([name, value]) => [h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, String(value))])));
}

const shown = new Set(["schema", "path", "format", "ok", "entries", "bytes", "unchecked", "findings"]);
