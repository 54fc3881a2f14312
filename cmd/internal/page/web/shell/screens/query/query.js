// Questions in jq's language, answered during typing.

import { h, replace, styles } from "../../lib/dom.js";
import * as address from "../../lib/address.js";

await styles(new URL("../../widgets/preview/preview.css", import.meta.url)); // an answer has the look of a text

export async function show(page) {
  const box = h("input", {
    type: "text",
    "data-search": "",
    "aria-label": "Question",
    class: "grow mono",
    value: page.query.q || page.what.question || ".",
    spellcheck: "false",
  });
  const out = h("pre", { class: "preview-text", tabindex: "0", "aria-label": "Answer" });
  let turn = 0,
    wait;
  const answer = async () => {
    const mine = ++turn,
      q = box.value;
    address.change({ q }, { quiet: true });
    page.command(`pakbox query ${page.what.shell_path} '${q.replaceAll("'", "'\\''")}'`);
    try {
      const got = await page.ask("query", { path: page.path, q });
      if (mine === turn) {
        out.classList.remove("bad");
        out.textContent =
          got.results.map((r) => JSON.stringify(r, null, 2)).join("\n") +
          (got.cut ? "\n… (the first " + got.results.length + ")" : "");
      }
    } catch (error) {
      if (mine === turn && !page.signal.aborted) {
        out.classList.add("bad");
        out.textContent = error.message;
      }
    }
  };
  box.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(() => page.signal.aborted || answer(), 200);
  });
  replace(
    page.target,
    h("div", { class: "bar" }, box),
    h(
      "p",
      { class: "note" },
      "A question in jq's language, such as ",
      (page.what.values ? [".header.classID", ".header.chunks[].chunk", "keys"] : ["keys", "."]).map((e) => [
        h(
          "button",
          {
            type: "button",
            class: "quiet mono",
            onclick: () => {
              box.value = e;
              answer();
            },
          },
          e,
        ),
        " ",
      ]),
    ),
    out,
  );
  box.focus();
  await answer();
}
