// Changes to a file. The page first shows the result of the command's --dry-run, and makes
// the change only after the user has confirmed it.

import { h, replace, styles } from "../../lib/dom.js";
import { change } from "../../lib/api.js";
import { icon } from "../../lib/icons.js";
import { showUndo } from "../../widgets/undo/undo.js";
import { commandOf, declaredForms, forms } from "./forms.js";

await styles(new URL("./change.css", import.meta.url));

// changes makes the buttons of a file that may be changed.
export function changes(page) {
  const names = (page.what.changes || []).filter((n) => forms[n]);
  return (
    names.length > 0 &&
    h(
      "div",
      { class: "bar" },
      names.map((name) => changeButton(page, name)),
    )
  );
}

// changeMenu has the same changes behind one button, for the end of the tabs.
export function changeMenu(page) {
  if (!page.what.changes?.length) return null;
  const names = page.what.changes.filter((n) => forms[n]);
  const more = h("div", { style: { display: "contents" } });
  declaredForms(page).then(
    (others) => {
      const rest = page.what.changes.filter((n) => !forms[n] && others[n]);
      more.append(...rest.map((n) => changeButton(page, n, undefined, others[n].title, others[n])));
    },
    () => {},
  ); // without them the menu has the changes with forms of their own
  const menu = h(
    "details",
    { class: "menu" },
    h("summary", { class: "button main" }, icon("change", 16), "Change"),
    h(
      "div",
      {
        class: "menu-list",
        onclick: () => {
          menu.open = false;
        },
      },
      names.map((name) => changeButton(page, name)),
      more,
    ),
  );
  const away = (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  };
  document.addEventListener("pointerdown", away);
  page.signal.addEventListener("abort", () => document.removeEventListener("pointerdown", away));
  return menu;
}

// changeButton opens the form of one change; context is the part of the file to
// change.
export function changeButton(page, name, context, title = forms[name].title, form = forms[name]) {
  return h(
    "button",
    { type: "button", onclick: () => open(page, name, form, context).catch((error) => page.status(error.message)) },
    title + "…",
  );
}

async function open(page, name, form, context) {
  const question = form.question || name;
  const fields = await form.fields(page, context);
  const shown = h("div", { role: "status", class: "change-shown" });
  const apply = h("button", { type: "button", class: "main", hidden: true }, "Save");
  const backup = h("input", { type: "checkbox", checked: true });
  let sent = null; // the parameters of the preview, which are sent again on confirmation
  fields.forEach((f, i) => {
    f.element.id = "change-" + i;
  });
  const dialog = h(
    "dialog",
    { "aria-label": form.title, class: "change", onclose: () => dialog.remove() },
    h("h1", {}, form.title),
    h(
      "form",
      {
        oninput: () => {
          apply.hidden = true;
        },
        onsubmit: (event) => {
          event.preventDefault();
          preview();
        },
      },
      form.doc && h("p", {}, form.doc[0].toUpperCase() + form.doc.slice(1) + "."),
      h(
        "dl",
        { class: "facts" },
        fields.map((f) => [h("dt", {}, h("label", { for: f.element.id }, f.label)), h("dd", {}, f.element, f.below)]),
      ),
      !page.what.dropped && h("p", {}, h("label", {}, backup, "Keep the old file as a copy")),
      h(
        "div",
        { class: "bar" },
        h("button", {}, "Show what would change"),
        apply,
        h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel"),
      ),
    ),
    shown,
  );

  // gather collects the values of the fields; it joins lists of the same name.
  async function gather() {
    const all = {};
    for (const field of fields) {
      for (const [key, value] of Object.entries(await field.read())) {
        all[key] = Array.isArray(value) ? [...(all[key] || []), ...value] : value;
      }
    }
    return form.send ? form.send(all) : all;
  }
  async function preview() {
    apply.hidden = true;
    try {
      sent = await gather();
      const answer = await change(question, { path: page.path }, { ...sent, dry_run: true });
      replace(
        shown,
        differences(answer),
        (answer.notes || []).map((n) => h("p", { class: "warning" }, n)),
        form.command &&
          h(
            "p",
            {},
            h(
              "code",
              {},
              commandOf(form.command(sent, Object.assign({}, ...fields.map((f) => f.names?.()))), page.what.shell_path),
            ),
          ),
      );
      apply.hidden = !(answer.values || []).length;
    } catch (error) {
      replace(shown, h("div", { class: "error" }, error.message));
    }
  }
  apply.addEventListener("click", async () => {
    try {
      const kept = backup.checked && !page.what.dropped;
      const made = await change(question, { path: page.path }, { ...sent, backup: kept });
      dialog.close();
      showUndo({
        path: page.path,
        what: made.schema?.split(".").slice(1).join(".").split("/")[0] || question,
        id: made.change,
        kept,
      });
      window.dispatchEvent(new CustomEvent("pakbox-changed"));
    } catch (error) {
      replace(shown, h("div", { class: "error" }, error.message));
    }
  });
  document.body.append(dialog);
  dialog.showModal();
}

// differences lists the changed values and the changed items.
function differences(answer) {
  const list = answer.values || [];
  if (!list.length) return h("p", {}, "There is nothing to change.");
  return [
    [
      ["Added", answer.added],
      ["Removed", answer.removed],
    ].map(([title, names]) => names?.length > 0 && h("p", {}, title + ": " + names.join(", "))),
    h(
      "div",
      { class: "change-values", tabindex: "0", role: "region", "aria-label": "Preview of the change" },
      h(
        "table",
        { class: "plain" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Value", "Before", "After"].map((t) => h("th", { scope: "col" }, t)),
          ),
        ),
        h(
          "tbody",
          {},
          list
            .slice(0, 100)
            .map((v) =>
              h(
                "tr",
                {},
                h("td", { class: "mono" }, v.path),
                h("td", {}, v.old),
                h("td", {}, v.new ?? (v.old === null ? v.change : null)),
              ),
            ),
        ),
      ),
    ),
    list.length > 100 && h("p", { class: "note" }, `the first 100 of ${list.length}`),
  ];
}
