// The changes of this visit, with buttons to undo them, and the dropped files.

import { h, replace } from "../../lib/dom.js";
import { change, saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { takeBack, titleOf } from "../../widgets/undo/undo.js";

export async function show(page) {
  const [{ changes }, dropped] = await Promise.all([
    page.ask("changed"),
    page.ask("children", { path: "dropped" }).catch(() => ({ children: [] })),
  ]);
  const trouble = h("div", { role: "status" });
  const act = (work) => async (event) => {
    event.target.disabled = true;
    try {
      await work();
      await show(page);
    } catch (error) {
      event.target.disabled = false;
      replace(trouble, h("div", { class: "error" }, error.message));
    }
  };
  replace(
    page.target,
    h("h1", {}, "Changes of this visit"),
    trouble,
    changes.length
      ? h(
          "table",
          { class: "plain" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ["Time", "File", "Change", ""].map((t) =>
                h("th", { scope: "col" }, t || h("span", { class: "unseen" }, "Action")),
              ),
            ),
          ),
          h(
            "tbody",
            {},
            changes.map((c) =>
              h(
                "tr",
                {},
                h("td", {}, new Date(c.when).toLocaleTimeString("en-GB")),
                h("td", {}, h("a", { href: address.of(c.path) }, c.path)),
                h("td", {}, titleOf(c.what)),
                h(
                  "td",
                  {},
                  c.undone
                    ? h("span", { class: "note" }, "taken back")
                    : h("button", { type: "button", onclick: act(() => takeBack(c)) }, "Undo"),
                ),
              ),
            ),
          ),
        )
      : h(
          "p",
          { class: "note" },
          "Nothing was changed yet. Changes are listed here and can be undone as long as pakbox runs.",
        ),
    dropped.children.length > 0 && [
      h("h2", {}, "Dropped files"),
      h(
        "table",
        { class: "plain" },
        h(
          "tbody",
          {},
          dropped.children.map((c) => {
            const path = "dropped/" + c.name;
            return h(
              "tr",
              {},
              h("td", {}, h("a", { href: address.of(path) }, c.name)),
              h("td", {}, c.kind === "file" && saveLink("Download", "content", { path }, c.name)),
              h("td", {}, h("button", { type: "button", onclick: act(() => change("remove", { path })) }, "Remove")),
            );
          }),
        ),
      ),
    ],
  );
}
