// The forms of changes: the fields of each, the parameters that they send, and the command
// that makes the same change. A field is {label, element, read}; read resolves to the
// parameters.

import { h } from "../../lib/dom.js";
import { shell, size } from "../../lib/format.js";

// forms are the changes by name: {title, fields(page, context), command(page,
// sent)}, the question for the change if its name differs, and send, which converts the
// values of the fields to parameters if these differ.
export const forms = {
  "map.rename": {
    title: "Rename",
    fields: (page) => [text("name", "New name", { value: page.what.facts?.name })],
    command: (sent) => ["map rename", "FILE", sent.name],
  },
  "map.medals.set": {
    title: "Medals",
    fields: (page) =>
      ["author", "gold", "silver", "bronze"].map((name) =>
        text(name, name[0].toUpperCase() + name.slice(1), { hint: "0:41.000", now: medal(page, name) }),
      ),
    command: (sent) => [
      "map medals",
      "FILE",
      ...["author", "gold", "silver", "bronze"].flatMap((n) => (sent[n] ? ["--" + n, sent[n]] : [])),
    ],
  },
  "map.thumbnail.set": {
    title: "Thumbnail",
    fields: () => [picture()],
    command: (sent, names) => ["map thumbnail", "FILE", "--set", names.picture || ""],
  },
  "map.items.change": {
    title: "Items",
    fields: async (page) => items((await page.ask("map.items", { path: page.path })).embedded),
    command: (sent) => [
      "map items",
      "FILE",
      ...(sent.remove || []).flatMap((n) => ["--remove", n]),
      ...(sent.remove_unused ? ["--remove-unused"] : []),
      ...(sent.add || []).flatMap((a) => ["--add", a.as + "=" + a.name]),
    ],
  },
  "map.meta.set": {
    title: "Metadata",
    fields: async (page) => metadata((await page.ask("map.meta", { path: page.path })).values),
    command: (sent) => ["map meta", "FILE", ...(sent.set || []).flatMap((s) => ["--set", s])],
  },
  set: {
    title: "Set a value",
    fields: (page, value) => [
      text("at", "Value", { hint: "mapName", value: value?.key }),
      text("value", "New value", { value: value?.text }),
    ],
    send: assignment,
    command: (sent) => ["set", "FILE", ...sent.values],
  },
  "simutrans.set": {
    title: "Set a value",
    question: "set",
    fields: (page, object) => objectValue(object),
    send: assignment,
    command: (sent) => ["set", "FILE", ...sent.values],
  },
};

// assignment is a value with its path, as the change takes it.
function assignment({ at = "", value = "" }) {
  return { values: [at + "=" + value] };
}

// declared are the forms of all other changes, made from the parameters that pakbox
// declares.
let declared;
export async function declaredForms(page) {
  declared ??= page.ask("forms").then(({ forms: list }) =>
    Object.fromEntries(
      list.map((f) => [
        f.name,
        {
          title: f.label,
          doc: f.doc,
          fields: () => f.params.map(declaredField),
        },
      ]),
    ),
  );
  return declared;
}

function declaredField({ name, doc, kind }) {
  const label = name.replaceAll("_", " "),
    below = h("p", { class: "note" }, doc);
  if (kind === "flag") {
    const element = h("input", { type: "checkbox" });
    return { label, element, below, read: async () => (element.checked ? { [name]: true } : {}) };
  }
  if (kind === "file" || kind === "files") {
    const element = h("input", { type: "file", multiple: kind === "files" });
    return {
      label,
      element,
      below,
      read: async () => {
        const files = await Promise.all(
          [...element.files].map(async (f) => ({ name: f.name, data: await contentOf(f) })),
        );
        return files.length ? { [name]: kind === "files" ? files : files[0] } : {};
      },
    };
  }
  const element = h("input", { type: kind === "number" ? "number" : "text", step: "any" });
  const value = () =>
    kind === "list" ? element.value.split("\n") : kind === "number" ? Number(element.value) : element.value;
  return { label, element, below, read: async () => (element.value === "" ? {} : { [name]: value() }) };
}

// commandOf is a command with its words quoted for a shell.
export function commandOf([verb, ...words], path) {
  return "pakbox " + [verb, ...words.map((w) => (w === "FILE" ? path : shell(w)))].join(" ");
}

// medal is the present value of a medal in the words of the map's card, such as "0:20.380".
function medal(page, name) {
  const all = page.what.card?.find((line) => line.name === "medals")?.text.split(", ") ?? [];
  return all
    .find((one) => one.startsWith(name + " "))
    ?.slice(name.length + 1)
    .replace(/ points$/, "");
}

// text is a field for a word. It begins with value, or with now, the present value, which
// is not sent.
function text(name, label, { value = "", now, hint = "" } = {}) {
  const element = h("input", { type: "text", placeholder: hint, value: now ?? value ?? "" });
  const same = () => element.value === "" || element.value === now;
  return { label, element, read: async () => (same() ? {} : { [name]: element.value }) };
}

// contentOf is the content of a file in base64, which JSON can hold.
function contentOf(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Error("cannot read " + file.name));
    reader.readAsDataURL(file);
  });
}

function picture() {
  let url;
  const shown = h("img", {
    class: "change-picture",
    alt: "The new thumbnail",
    hidden: true,
    onload: () => URL.revokeObjectURL(url),
  });
  const element = h("input", {
    type: "file",
    accept: "image/jpeg,image/png",
    onchange: () => {
      shown.hidden = !element.files.length;
      if (element.files.length) shown.src = url = URL.createObjectURL(element.files[0]);
    },
  });
  return {
    label: "Picture, JPEG or PNG",
    element,
    below: shown,
    read: async () =>
      element.files.length ? { picture: { name: element.files[0].name, data: await contentOf(element.files[0]) } } : {},
    names: () => ({ picture: element.files[0]?.name }),
  };
}

// items are boxes to remove embedded items of the map, and a field to add more.
function items(embedded) {
  const boxes = embedded.map((e) => ({
    name: e.name,
    box: h("input", { type: "checkbox" }),
    use: e.used > 0 ? `used ${e.used} ×` : e.model ? "unused" : "",
    size: e.size,
  }));
  const list = h(
    "div",
    { class: "change-items", role: "group", "aria-label": "Remove", tabindex: "0" },
    boxes.length
      ? boxes.map((b) =>
          h("label", {}, b.box, h("span", {}, b.name), h("span", { class: "note" }, b.use || size(b.size))),
        )
      : h("p", { class: "note" }, "No files are embedded in the map."),
  );
  const unused = h("input", { type: "checkbox" });
  const added = h("div", {});
  let more = [];
  const choose = h("input", {
    type: "file",
    multiple: true,
    accept: ".gbx",
    onchange: () => {
      more = [...choose.files].map((file) => ({
        file,
        name: h("input", {
          type: "text",
          value: nameFor(file.name, embedded),
          "aria-label": `Name of ${file.name} in the map`,
        }),
      }));
      added.replaceChildren(...more.map((m) => m.name));
    },
  });
  return [
    {
      label: "Remove",
      element: list,
      read: async () => ({ remove: boxes.filter((b) => b.box.checked).map((b) => b.name) }),
    },
    { label: "Remove all unused", element: unused, read: async () => (unused.checked ? { remove_unused: true } : {}) },
    {
      label: "Add or replace",
      element: choose,
      below: added,
      read: async () => ({
        add: await Promise.all(
          more.map(async (m) => ({ as: m.name.value, name: m.file.name, data: await contentOf(m.file) })),
        ),
      }),
    },
  ];
}

// nameFor is the path for a file in the map: that of the embedded file with the same name.
function nameFor(file, embedded) {
  const same = embedded.find((e) => e.name.split("/").at(-1).toLowerCase() === file.toLowerCase());
  return same ? same.name : (file.toLowerCase().endsWith(".block.gbx") ? "Blocks/" : "Items/") + file;
}

// metadata are the stored values of scripts that a single word can replace.
function metadata(values) {
  const plain = values.filter((v) => ["boolean", "integer", "real", "text"].includes(v.type.toLowerCase()));
  return plain.map((v) => {
    const before = String(v.value),
      element = h("input", { type: "text", value: before });
    return {
      label: `${v.name} (${v.type})`,
      element,
      read: async () => (element.value === before ? {} : { set: [v.name + "=" + element.value] }),
    };
  });
}

function objectValue(object) {
  const which = h(
    "select",
    {
      onchange: () => {
        value.value = now();
      },
    },
    object.fields.map((f) => h("option", { value: f.name }, f.name + (f.unit ? `, ${f.unit}` : ""))),
  );
  const now = () => object.fields.find((f) => f.name === which.value)?.text ?? "";
  const value = h("input", { type: "text", value: now() });
  return [
    { label: "Value", element: which, read: async () => ({ at: object.folder + "/" + which.value }) },
    { label: "New value", element: value, read: async () => ({ value: value.value }) },
  ];
}
