// Changes to a file. Each is first shown as the command's --dry-run shows it, and
// is made only when somebody has seen that.

import { h, replace } from "../../lib/dom.js";
import { change, save } from "../../lib/api.js";

// forms are the changes that a map takes, each a form of few fields.
const forms = {
  "map.rename": { title: "Rename", fields: [{ name: "name", label: "New name", from: "name" }] },
  "map.medals": { title: "Medals", fields: ["author", "gold", "silver", "bronze"].map((name) => ({ name, label: name[0].toUpperCase() + name.slice(1), hint: "0:41.000" })) },
  "set": { title: "Set a value", fields: [{ name: "path_in_file", label: "Value", hint: "mapName" }, { name: "value", label: "New value" }] },
};

// changes makes the buttons, where the file may be changed.
export function changes(page) {
  const names = page.what.changes || [];
  if (!names.length) return null;
  return h("div", { class: "bar" }, names.filter((n) => forms[n]).map((name) =>
    h("button", { type: "button", onclick: () => open(page, name) }, forms[name].title + "…")));
}

function open(page, name) {
  const { title, fields } = forms[name];
  const inputs = fields.map((f) => h("input", { type: "text", name: f.name, placeholder: f.hint || "", value: f.from ? page.what.facts?.[f.from] ?? "" : "" }));
  const shown = h("div", { role: "status" });
  const apply = h("button", { type: "button", class: "main", hidden: true }, page.what.dropped ? "Change and download" : "Save");
  const backup = h("input", { type: "checkbox" });
  const body = (dryRun) => ({ ...Object.fromEntries(inputs.map((i) => [i.name, i.value]).filter(([, v]) => v !== "")), dry_run: dryRun, backup: backup.checked });
  const dialog = h("dialog", { "aria-label": title, onclose: () => dialog.remove() },
    h("h1", {}, title),
    h("form", { onsubmit: (event) => { event.preventDefault(); preview(); } },
      h("dl", { class: "facts" }, fields.map((f, i) => [h("dt", {}, h("label", { for: "change-" + i }, f.label)), h("dd", {}, (inputs[i].id = "change-" + i, inputs[i]))])),
      !page.what.dropped && h("p", {}, h("label", {}, backup, "Keep the old file as a copy")),
      h("div", { class: "bar" }, h("button", {}, "Show what would change"), apply, h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel"))),
    shown);

  async function preview() {
    apply.hidden = true;
    try {
      const answer = await change(name, { path: page.path }, body(true));
      const list = answer.values || [];
      replace(shown, list.length
        ? h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ["Value", "Before", "After"].map((t) => h("th", { scope: "col" }, t)))),
          h("tbody", {}, list.slice(0, 100).map((v) => h("tr", {}, h("td", { class: "mono" }, v.path), h("td", {}, v.old), h("td", {}, v.new)))))
        : h("p", {}, "There is nothing to change."),
        (answer.notes || []).map((n) => h("p", { class: "warning" }, n)), answer.command && h("p", {}, h("code", {}, answer.command)));
      apply.hidden = !list.length;
    } catch (error) {
      replace(shown, h("div", { class: "error" }, error.message));
    }
  }
  apply.addEventListener("click", async () => {
    try {
      await change(name, { path: page.path }, body(false));
      dialog.close();
      if (page.what.dropped) {
        await save("content", { path: page.path }, page.path.split("/").at(-1));
      }
      window.dispatchEvent(new CustomEvent("pakbox-changed"));
    } catch (error) {
      replace(shown, h("div", { class: "error" }, error.message));
    }
  });
  document.body.append(dialog);
  dialog.showModal();
}
