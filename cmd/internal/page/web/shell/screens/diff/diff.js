// Two files compared: by value if pakbox can decode both, otherwise file by file, and by
// value within these files where possible.

import { h, replace, styles } from "../../lib/dom.js";
import { ask } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, shell, size } from "../../lib/format.js";
import { makeList } from "../../widgets/list/list.js";

await styles(new URL("./diff.css", import.meta.url));

export const whole = true;

export async function show(page) {
  const { a, b } = page.query;
  const boxA = box("First file", a),
    boxB = box("Second file", b);
  const form = h(
    "form",
    {
      class: "bar over-list",
      onsubmit: (event) => {
        event.preventDefault();
        address.change({ a: boxA.value, b: boxB.value });
      },
    },
    boxA.element,
    boxB.element,
    h("button", { class: "main" }, "Compare"),
  );
  replace(page.target, form);
  if (!a || !b) {
    page.target.append(
      h(
        "p",
        { class: "note over-list" },
        "Two maps, packs, archives or folders: what differs between them, value by value or file by file.",
      ),
    );
    (a ? boxB : boxA).focus();
    return;
  }
  page.command(["pakbox diff", shell(a), shell(b)].join(" "));
  const answer = await page.ask("diff", { path: a, other: b });
  const rows = answer.values
    ? answer.values.map((v) => ({ what: v.path, how: v.change, old: v.old, new: v.new }))
    : filesOf(answer, a, b);
  const list = makeList({
    label: "Differences",
    columns: [
      { title: "Name", cell: (r) => r.what, sort: (r) => r.what, width: "minmax(20ch, 2fr)" },
      { title: "Change", cell: (r) => h("span", { class: "diff-" + r.how }, r.how), sort: (r) => r.how, width: "10ch" },
      { title: "Before", cell: (r) => r.old ?? "", width: "minmax(12ch, 2fr)" },
      { title: "After", cell: (r) => r.new ?? "", width: "minmax(12ch, 2fr)" },
    ],
    href: (r) => r.href,
  });
  list.rows(rows);
  page.target.append(
    summary(answer),
    h("div", { class: "list-room" }, rows.length ? list.element : h("p", { class: "good" }, "The two are the same.")),
  );
  page.status(count(rows.length, "difference"));
}

// summary summarizes the differences: the changes in the words of users, or the number of
// files of each kind.
function summary(answer) {
  if (!answer.values) {
    if (answer.identical) return h("div", {});
    return h(
      "p",
      { class: "over-list note" },
      `${answer.format} and ${answer.other_format}: ${answer.added} added, ${answer.removed} removed, ${answer.changed} changed`,
    );
  }
  if (!answer.words?.length) return h("div", {});
  return h(
    "details",
    { class: "diff-words", open: answer.words.length <= 8 },
    h("summary", {}, count(answer.words.length, "change") + " in short"),
    h(
      "dl",
      { class: "facts" },
      answer.words.map((w) => [h("dt", {}, w.path), h("dd", {}, [w.old, w.new].filter((v) => v !== null).join(" → "))]),
    ),
  );
}

// filesOf are the files that differ, each followed by the values that differ in
// it.
function filesOf(answer, a, b, prefix = "") {
  return answer.changes.flatMap((c) => {
    const name = prefix + c.name;
    const row = { what: name, how: c.change, old: sizeOf(c.old_size), new: sizeOf(c.new_size) };
    if (c.change === "changed") row.href = address.view("diff", { a: `${a}/${name}`, b: `${b}/${name}` });
    else row.href = address.of(`${c.change === "added" ? b : a}/${name}`);
    const inside = c.inside?.changes
      ? filesOf(c.inside, a, b, name + "/")
      : (c.inside?.values || []).map((v) => ({ what: `${name}: ${v.path}`, how: v.change, old: v.old, new: v.new }));
    return [row, ...inside];
  });
}

const sizeOf = (n) => (n === null ? "" : size(n));

let boxes = 0;

// box is a field for a path, with suggestions.
function box(label, value) {
  const id = "diff-paths-" + boxes++;
  const offers = h("datalist", { id });
  const input = h("input", {
    type: "text",
    "aria-label": label,
    placeholder: label.toLowerCase(),
    value: value || "",
    list: id,
    autocomplete: "off",
    spellcheck: "false",
  });
  let turn = 0;
  async function offer() {
    const mine = ++turn,
      dir = input.value.slice(0, Math.max(0, input.value.lastIndexOf("/")));
    const answer = await ask("children", { path: dir }).catch(() => ({ children: [] }));
    if (mine === turn)
      replace(
        offers,
        answer.children.slice(0, 500).map((c) => h("option", { value: (dir ? dir + "/" : "") + c.name })),
      );
  }
  input.addEventListener("input", offer);
  input.addEventListener("focus", offer);
  return {
    element: h("span", { class: "grow diff-box" }, input, offers),
    focus: () => input.focus(),
    get value() {
      return input.value;
    },
  };
}
