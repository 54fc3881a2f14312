// The bar for the ticked files: check, compare, rename, export.

import { h, replace } from "../../lib/dom.js";
import { ask, change, save } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, shell, size } from "../../lib/format.js";
import { showUndo } from "../../widgets/undo/undo.js";

const isMap = (path) => /\.(map|challenge)\.gbx$/i.test(path);
const isModel = (path) => /\.(item|block|mesh|solid2?)\.gbx$/i.test(path);
const isRun = (path) => /\.(replay|ghost)\.gbx$/i.test(path);
const nameOf = (path) => path.split("/").at(-1);

// exports are the forms for saving files: the files that have the form, the question,
// and the extension.
const exports = {
  files: { title: "Save files", has: () => true, question: "content", ending: null },
  pictures: { title: "Save pictures", has: isMap, question: "map.picture", ending: ".png" },
  meshes: { title: "Save meshes", has: isModel, question: "mesh.file", ending: ".glb" },
};

// makeChosen has element and show(files): the bar, and the ticked files.
export function makeChosen(page, clear) {
  const element = h("div", { class: "folder-chosen", role: "region", "aria-label": "Chosen files", hidden: true });
  const result = h("div", { class: "folder-result", role: "status" });
  const say = (...what) => replace(result, ...what);

  // each calls a function for every path, and shows the progress. It returns the
  // errors.
  async function each(paths, done, act) {
    const wrong = [];
    for (const [i, path] of paths.entries()) {
      say(`${i} of ${paths.length}`);
      try {
        await act(path);
      } catch (error) {
        wrong.push(nameOf(path) + ": " + error.message);
      }
    }
    say(wrong.length ? h("span", { class: "bad" }, wrong.join("; ")) : h("span", { class: "good" }, done));
    return wrong;
  }

  function rename(paths) {
    const name = h("input", { type: "text", value: "{name}", "aria-label": "New name", spellcheck: "false" }),
      trouble = h("div", { class: "bad", role: "alert" });
    const dialog = h(
      "dialog",
      { "aria-label": "Rename", class: "change", onclose: () => dialog.remove() },
      h(
        "form",
        {
          onsubmit: async (event) => {
            event.preventDefault();
            try {
              const names = await newNames(paths, name.value, page.signal);
              dialog.close();
              const all = count(paths.length, "map") + " renamed",
                changes = [];
              const wrong = await each(paths, all, async (path) => {
                changes.push({ path, id: (await change("map.rename", { path }, { name: names.get(path) })).change });
              });
              // The folder is redrawn when its files change, which removes the status.
              const text = wrong.length ? `${changes.length} of ${all}; ${wrong.join("; ")}.` : all + ".";
              if (changes.length) showUndo({ ...changes.at(-1), what: "map.rename", text, changes });
            } catch (error) {
              trouble.textContent = error.message;
            }
          },
        },
        h("h2", {}, `Rename ${count(paths.length, "map")}`),
        h("label", { class: "change-field" }, "New name", name),
        h(
          "p",
          { class: "note" },
          "Words in braces are facts of each map: {name}, {author_nick}, {mood}; {number} counts.",
        ),
        trouble,
        h(
          "div",
          { class: "bar" },
          h("button", { class: "main" }, "Rename"),
          h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel"),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    name.select();
  }

  const button = (text, onclick) => h("button", { type: "button", onclick }, text);
  function show(files) {
    const paths = files.map((f) => f.path),
      maps = paths.filter(isMap);
    element.hidden = !paths.length;
    say();
    replace(
      element,
      h("b", {}, paths.length + " chosen"),
      h("span", { class: "note" }, size(files.reduce((sum, f) => sum + (f.size || 0), 0))),
      button("Check", async () => say(await checkAll(paths, page.signal))),
      maps.length > 0 && maps.length === paths.length && button("Rename…", () => rename(maps)),
      Object.values(exports).map(({ title, has, question, ending }) => {
        const fit = paths.filter(has);
        return (
          fit.length > 0 &&
          button(title, () =>
            each(fit, count(fit.length, "file") + " saved", (path) =>
              save(question, { path }, ending ? nameOf(path).split(".")[0] + ending : nameOf(path)),
            ),
          )
        );
      }),
      comparisonOf(paths) && h("a", { class: "button", href: comparisonOf(paths) }, "Compare"),
      button("Copy command", () => navigator.clipboard?.writeText("pakbox verify " + paths.map(shell).join(" "))),
      h("button", { type: "button", class: "quiet", "aria-label": "Clear the selection", onclick: clear }, "✕"),
      result,
    );
  }
  return { element, show };
}

// comparisonOf is the address that compares files: runs along the track, two other files by
// their content.
export function comparisonOf(paths) {
  const [first, ...others] = paths;
  if (others.length && paths.every(isRun))
    return address.of(first, { tab: "compare", with: others.map(nameOf).join("/") });
  return others.length === 1 ? address.view("diff", { a: first, b: others[0] }) : null;
}

// newNames fills a pattern with the facts of each map. A name in it that is not a fact of
// every map is an error, reported before any change.
async function newNames(paths, pattern, signal) {
  const names = new Map();
  if (!pattern.trim()) throw new Error("Enter a name.");
  for (const [i, path] of paths.entries()) {
    const { facts } = await ask("what", { path }, { signal });
    names.set(
      path,
      pattern.replace(/\{(\w+)\}/g, (whole, word) => {
        const value = word === "number" ? i + 1 : facts?.[word];
        if (value === undefined || value === null || typeof value === "object")
          throw new Error(`Unknown fact ${whole} for ${nameOf(path)}.`);
        return value;
      }),
    );
  }
  return names;
}

// checkAll verifies every path, and shows the results.
export async function checkAll(paths, signal, progress) {
  const wrong = [];
  for (const [i, path] of paths.entries()) {
    progress?.(i, paths.length);
    try {
      const answer = await ask("verify", { path }, { signal });
      if (!answer.ok) wrong.push(nameOf(path));
    } catch (error) {
      if (signal.aborted) return null;
      wrong.push(nameOf(path) + ": " + error.message);
    }
  }
  return wrong.length
    ? h("span", { class: "bad" }, `${count(wrong.length, "file")} with problems: ${wrong.join(", ")}`)
    : h("span", { class: "good" }, "All fine.");
}
