// A folder, or an archive as one: its files as tiles or as a table, and the actions on
// the chosen ones.

import { h, replace, styles } from "../../lib/dom.js";
import { change } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, day, size } from "../../lib/format.js";
import { keep, kept } from "../../lib/keep.js";
import { namesOf, readNames } from "../../lib/names.js";
import { icon } from "../../lib/icons.js";
import { changeMenu } from "../../widgets/change/change.js";
import { makeCard } from "../../widgets/card/card.js";
import { makeList } from "../../widgets/list/list.js";
import { draw as drawPicture, makeTiles, tileOf, wordsOf } from "../../widgets/tile/tile.js";
import { showPreview } from "../../widgets/preview/preview.js";
import { archiveOf } from "./archive.js";
import { checkAll, makeChosen } from "./chosen.js";

await styles(new URL("./folder.css", import.meta.url));

export const whole = true;

export async function show(page) {
  const answer = await page.ask("children", { path: page.path, all: "true" });
  page.command(answer.command);
  if (page.what.changes?.includes("put")) page.actions(changeMenu(page));
  const files = answer.children,
    title = h("h1", { class: "unseen" }, page.path.split("/").at(-1));
  if (answer.locked) {
    replace(
      page.target,
      title,
      h(
        "div",
        { class: "folder-locked" },
        keyBox(page, answer.locked),
        page.what.card &&
          h("details", { class: "sheet" }, h("summary", {}, "Description in the file"), makeCard(page.what.card)),
      ),
    );
    return;
  }
  if (!files.length) {
    replace(
      page.target,
      title,
      h(
        "div",
        { class: "state" },
        h("h2", {}, answer.archive ? "There is nothing in this archive" : "This folder is empty"),
        answer.problem && h("p", { class: "bad" }, answer.problem),
        h("p", { class: "note" }, "Drop files or folders anywhere on the page to see them."),
      ),
    );
    return;
  }
  const room = h("div", { class: "folder-room" });
  const views = {
    tree: () => archiveOf(page, answer, fits),
    tiles: () => tilesOf(page, fits(), room, known, () => unread),
    table: () => tableOf(page, answer, fits, known),
  };
  const choices = [answer.archive && ["tree", "Tree"], ["tiles", "Tiles"], ["table", "Table"]].filter(Boolean);
  let view = kept(
      answer.archive ? "archive.view" : "folder.view",
      answer.archive ? (isSkin(files) ? "tiles" : "tree") : "tiles",
    ),
    shown = null;
  if (!choices.some(([name]) => name === view)) [[view]] = choices;
  const known = makeKnown(page);
  const fits = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return files.filter((f) => words.every((w) => namesOf({ ...f, path: page.path + "/" + f.name }).names.includes(w)));
  };
  // A filter matches maps by name and author too. These are inside the files, which are
  // read when the user filters for the first time.
  let found = 0,
    asked = false,
    unread = 0;
  async function lookInside() {
    if (asked || answer.archive || !search.value.trim()) return;
    asked = true;
    unread = files.length;
    await readNames(
      files.map((f) => ({ ...f, path: page.path + "/" + f.name })),
      page.signal,
      (left) => {
        unread = left;
        if (page.signal.aborted) return;
        if (fits().length !== found) draw();
        else tellCount();
      },
    ).catch(() => {}); // files that were read are found all the same
    unread = 0;
    if (page.signal.aborted) return;
    if (!found || fits().length !== found) draw();
    else tellCount();
  }
  function tellCount() {
    page.status(
      (found === files.length
        ? found.toLocaleString("en") + " here"
        : found.toLocaleString("en") + " of " + files.length.toLocaleString("en")) +
        (unread && found < files.length ? `, the names in ${count(unread, "file")} are being read` : ""),
    );
  }
  const search = h("input", {
    type: "search",
    "data-search": "",
    placeholder: `Filter ${count(files.length, "file")}`,
    "aria-label": "Filter by name",
    class: "folder-filter",
    value: page.query.filter || "",
    oninput: () => {
      address.change({ filter: search.value }, { quiet: true });
      draw();
      lookInside();
    },
  });
  const choice = h(
    "div",
    { class: "choice", role: "group", "aria-label": "View" },
    choices.map(([name, text]) =>
      h(
        "button",
        {
          type: "button",
          "data-view": name,
          onclick: () => {
            keep(answer.archive ? "archive.view" : "folder.view", name);
            view = name;
            shown = null;
            draw();
          },
        },
        text,
      ),
    ),
  );
  // Check all verifies every file that the filter shows.
  const checked = h("div", { class: "folder-status", role: "status" });
  const checkButton = h(
    "button",
    {
      type: "button",
      onclick: async () => {
        checkButton.disabled = true;
        const result = await checkAll(
          fits()
            .filter((f) => f.kind !== "folder")
            .map((f) => page.path + "/" + f.name),
          page.signal,
          (done, of) => replace(checked, `${done} of ${of} checked`),
        );
        checkButton.disabled = false;
        if (result) replace(checked, result);
      },
    },
    icon("check", 16),
    "Check all",
  );
  function draw() {
    for (const b of choice.children) b.setAttribute("aria-pressed", String(b.dataset.view === view));
    room.classList.toggle("folder-archive", view === "tree");
    if (shown?.filter) shown.filter();
    else {
      shown = views[view]();
      replace(room, shown.element);
      shown.ready?.();
    }
    found = fits().length;
    tellCount();
  }
  replace(
    page.target,
    title,
    h(
      "div",
      { class: "bar folder-bar" },
      search,
      answer.problem && h("span", { class: "bad" }, answer.problem),
      h("span", { class: "folder-gap" }),
      !answer.archive && files.some((f) => f.kind !== "folder") && checkButton,
      choice,
    ),
    checked,
    room,
  );
  draw();
  lookInside();
}

// isSkin reports whether an archive is mostly pictures, which are shown as a grid.
function isSkin(files) {
  const pictures = files.filter((f) => /\.(png|jpe?g|webp|dds|tga)$/i.test(f.name)).length;
  return pictures > 1 && pictures * 5 >= files.length * 3 && files.every((f) => !f.name.includes("/"));
}

// atOnce is the number of tiles that are made before the user scrolls to the last.
const atOnce = 120;

// tilesOf shows files as tiles, with a bar for the chosen ones.
function tilesOf(page, files, room, known, unread) {
  const order = [...files].sort(
    (a, b) =>
      (a.kind === "folder" ? 0 : 1) - (b.kind === "folder" ? 0 : 1) ||
      a.name.localeCompare(b.name, "en", { numeric: true }),
  );
  page.memory.chosen ??= new Map(); // path -> file
  const { chosen } = page.memory,
    bar = makeChosen(page, clear),
    drawBar = () => bar.show([...chosen.values()]);
  const tiles = makeTiles(page.signal, {
    chosen,
    get: async (path) => (await known.learn({ name: path.slice(page.path.length + 1) })).got,
    choose: (file, on) => {
      if (on) chosen.set(file.path, file);
      else chosen.delete(file.path);
      drawBar();
    },
  });
  const end = h("div", { class: "folder-end" });
  let made = 0;
  const more = new IntersectionObserver(
    (seen) => {
      if (seen.some((e) => e.isIntersecting)) add();
    },
    { root: room, rootMargin: "600px" },
  );
  page.signal.addEventListener("abort", () => more.disconnect());
  function add() {
    tiles.add(order.slice(made, made + atOnce).map((f) => ({ ...f, path: page.path + "/" + f.name })));
    made += atOnce;
    if (made >= order.length) more.disconnect();
  }
  function clear() {
    chosen.clear();
    tiles.element.querySelectorAll("input:checked").forEach((box) => {
      box.checked = false;
    });
    drawBar();
  }
  add();
  drawBar();
  more.observe(end);
  return {
    element: [
      files.length
        ? tiles.element
        : h("p", { class: "note" }, unread() ? "Looking at the names in the files…" : "Nothing here has such a name."),
      end,
      bar.element,
    ],
  };
}

// tableOf shows files as a table, with a preview of the row under the cursor.
function tableOf(page, answer, fits, known) {
  const side = h("div", { class: "folder-side sheet", role: "region", "aria-label": "Preview", tabindex: "0" });
  const all = async (rows) => {
    await Promise.all(rows.filter((r) => r.kind !== "folder").map((r) => known.learn(r).catch(() => {})));
  };
  const by = (name) => (r) => known.words(r)?.[name] || null;
  let looking = new AbortController();
  page.signal.addEventListener("abort", () => looking.abort());
  const list = makeList({
    label: "Files",
    rowHeight: answer.archive ? 28 : 36,
    columns: [
      {
        title: "Name",
        phone: "title",
        cell: (r) => nameCell(r, answer.archive),
        sort: (r) => (r.kind === "folder" ? "0" : "1") + r.name.toLowerCase(),
        width: "minmax(14ch, 4fr)",
      },
      ...(answer.archive
        ? [
            {
              title: "Size",
              phone: "end",
              cell: (r) => size(r.size),
              sort: (r) => r.size,
              number: true,
              width: "10ch",
            },
            {
              title: "Stored",
              cell: (r) => size(r.stored_size),
              sort: (r) => r.stored_size,
              number: true,
              width: "10ch",
            },
            {
              title: "Stored as",
              phone: "under",
              cell: (r) => (r.encrypted ? "locked " : "") + (r.method || ""),
              sort: (r) => r.method,
              width: "minmax(10ch, 1.2fr)",
            },
          ]
        : [
            {
              title: "Kind",
              cell: (r) => h("span", { class: "folder-kind note" }, r.kind === "folder" ? "Folder" : ""),
              sort: (r) => (r.kind === "folder" ? "" : by("kind")(r)),
              before: all,
              width: "11ch",
            },
            {
              title: "Author, driver",
              phone: "under",
              cell: () => h("span", { class: "folder-who" }),
              sort: (r) => textOf(by("who")(r)),
              before: all,
              width: "minmax(8ch, 1.4fr)",
            },
            {
              title: "Time",
              phone: "end",
              cell: () => h("span", { class: "folder-time" }),
              sort: (r) => by("ms")(r),
              before: all,
              number: true,
              width: "12ch",
            },
            { title: "Size", cell: (r) => size(r.size), sort: (r) => r.size, number: true, width: "11ch" },
            { title: "Date", cell: (r) => day(r.changed), sort: (r) => r.changed, number: true, width: "13ch" },
          ]),
    ],
    made: answer.archive
      ? null
      : (r, element) => {
          if (r.kind !== "folder") fillRow(page, r, element, known);
        },
    sorted: kept("folder.sorted", { column: 0, down: false }),
    ordered: (order) => keep("folder.sorted", order),
    words: (r) => [r.name, textOf(by("name")(r)) || ""],
    href: (r) => address.of(page.path + "/" + r.name),
    open: (r) => {
      location.hash = address.of(page.path + "/" + r.name);
    },
    pick: (r) => {
      address.change({ pick: r.name }, { quiet: true });
      element.classList.add("folder-looking");
      look(r);
    },
  });
  let seen = null;
  function look(r) {
    if (seen === r) return;
    seen = r;
    looking.abort();
    looking = new AbortController();
    replace(side, nothing(r));
    if (r.kind !== "folder") showPreview(side, page.path + "/" + r.name, looking.signal);
  }
  // On wide screens the preview of the row under the cursor opens by itself.
  function lookAtFirst() {
    const at = list.at();
    if (at && at.kind !== "folder" && !answer.archive && !matchMedia("(max-width: 720px)").matches) look(at);
  }
  const element = h("div", { class: "folder-split" + (answer.archive ? "" : " folder-files") }, list.element, side);
  list.rows(fits());
  replace(side, nothing(), page.what.card && makeCard(page.what.card));
  return {
    element,
    filter: () => {
      list.rows(fits());
      lookAtFirst();
    },
    ready: () => {
      if (page.query.pick) list.pickWhere((r) => r.name === page.query.pick);
      else lookAtFirst();
    },
  };
}

// nameCell is a picture, the title of the file, and its own name.
function nameCell(r, plain) {
  const text =
    (r.unsafe ? "⚠ " : "") + r.name + (r.kind === "folder" ? "/" : "") + (r.unsafe ? ` (unsafe: ${r.unsafe})` : "");
  if (plain) return text;
  return h(
    "span",
    { class: "folder-name" },
    h("span", { class: "folder-picture" }, r.kind === "folder" && icon("folder", 16)),
    h("span", { class: "folder-title" }, text),
    h("span", { class: "folder-file note" }),
  );
}

// makeKnown keeps the answers about the files of a folder, for tiles and rows. It asks for
// each file once.
function makeKnown(page) {
  const known = new Map(),
    asked = new Map();
  async function ask(file) {
    try {
      const got = await tileOf(page.path + "/" + file.name, page.signal);
      known.set(file.name, { got, words: wordsOf(file, got) });
      return known.get(file.name);
    } catch (error) {
      asked.delete(file.name);
      throw error;
    }
  }
  return {
    learn(file) {
      if (!asked.has(file.name)) asked.set(file.name, ask(file));
      return asked.get(file.name);
    },
    words: (file) => known.get(file.name)?.words,
  };
}

// textOf is a text, or the text of an element, in lower case.
function textOf(content) {
  return (content?.textContent ?? content ?? "").toLowerCase() || null;
}

// fillRow writes the answer about a file into its row.
async function fillRow(page, r, element, known) {
  const path = page.path + "/" + r.name,
    learnt = await known.learn(r).catch(() => null);
  if (!learnt || !element.isConnected) return;
  const { got, words } = learnt,
    put = (part, content) => replace(element.querySelector(part), content);
  put(".folder-kind", words.kind);
  put(".folder-who", words.who);
  put(".folder-time", words.time);
  if (words.name !== r.name) {
    put(".folder-title", words.name);
    put(".folder-file", r.name);
  }
  if (words.damaged) element.querySelector(".folder-title").append(" ", h("span", { class: "tag-bad" }, "ends early"));
  await drawPicture(element.querySelector(".folder-picture"), { ...r, path }, got, page.signal).catch(() => {});
}

// nothing is the content of the side before a file is chosen.
function nothing(row) {
  return h("p", { class: "note" }, row ? "" : "Choose a file to see what it is; Enter opens it.");
}

// keyBox reports a missing key, and reads one from the user. pakbox keeps the key only in
// memory.
function keyBox(page, locked) {
  const byPassphrase = locked.kind === "passphrase_required" || (locked.kind === "wrong_key" && !locked.key);
  const name = h("input", {
    type: "text",
    "aria-label": "Name of the key",
    value: locked.key || page.path.split("/").at(-1).split(".")[0],
  });
  const secret = h("input", {
    type: "password",
    autocomplete: "off",
    "aria-label": byPassphrase ? "Passphrase" : "Key",
    placeholder: byPassphrase ? "passphrase" : "32 hex digits",
  });
  const trouble = h("div", { class: "bad", role: "alert" }),
    button = h("button", { class: "main" }, "Unlock");
  secret.addEventListener("input", () => {
    secret.removeAttribute("aria-invalid");
    trouble.textContent = "";
  });
  return h(
    "form",
    {
      class: "unlock",
      "aria-label": "Unlock",
      onsubmit: async (event) => {
        event.preventDefault();
        button.disabled = true;
        button.textContent = "Trying…";
        try {
          await change(
            "unlock",
            { path: page.path },
            byPassphrase ? { passphrase: secret.value } : { name: name.value, key: secret.value },
          );
          window.dispatchEvent(new CustomEvent("pakbox-changed"));
        } catch (error) {
          trouble.textContent =
            byPassphrase && /wrong passphrase/i.test(error.message)
              ? "That passphrase does not open it. Check capital letters, and try again."
              : error.message;
          secret.setAttribute("aria-invalid", "true");
          secret.select();
        }
        button.disabled = false;
        button.textContent = "Unlock";
      },
    },
    h(
      "div",
      { class: "unlock-head" },
      h("span", { class: "unlock-sign" }, icon("lock", 20)),
      h(
        "div",
        {},
        h("h2", {}, page.path.split("/").at(-1) + " is locked"),
        h("div", { class: "note" }, byPassphrase ? "It opens with its passphrase." : "It opens with its key."),
      ),
    ),
    !byPassphrase && [
      h("div", {}, locked.message),
      (locked.hints || []).map((text) => h("div", { class: "note" }, text)),
    ],
    !byPassphrase && h("label", { class: "unlock-field" }, "Name of the key", name),
    h("label", { class: "unlock-field" }, byPassphrase ? "Passphrase" : "Key", secret),
    trouble,
    h("div", { class: "bar" }, button),
    h("div", { class: "note" }, "It stays in the memory of pakbox, and is forgotten when pakbox ends."),
  );
}
