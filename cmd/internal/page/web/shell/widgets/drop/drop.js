// Files and folders that the user drops on the page, or chooses.

import { h } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { drop } from "../../lib/transport.js";

// chooseFiles opens the files that the user chooses with an input.
export function chooseFiles(input, { taken, progress, failed }) {
  input.addEventListener("change", async () => {
    const files = [...input.files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
    input.value = ""; // so that the same file can be chosen again
    if (!files.length) return;
    try {
      const paths = await drop(files, progress);
      progress(files.length, files.length);
      taken(paths);
    } catch (error) {
      failed(error);
    }
  });
}

// makeDrop makes the text and the buttons of the drop area.
export function makeDrop(handlers) {
  const folder = h("input", {
    type: "file",
    webkitdirectory: true,
    id: "choose-folder",
    class: "unseen",
    "aria-label": "Open a folder of this computer",
  });
  chooseFiles(folder, handlers);
  return h(
    "div",
    { class: "drop" },
    h("h2", {}, "Drop files or folders anywhere"),
    h("p", { class: "note" }, "Maps, replays, items, packs, paksets. Nothing leaves this computer."),
    h(
      "p",
      { class: "bar" },
      h("label", { for: "choose", class: "button main" }, "Choose files"),
      h("label", { for: "choose-folder", class: "button" }, icon("folder", 16), "Choose a folder"),
      folder,
    ),
  );
}

// dropAnywhere opens files and folders that are dropped on any screen.
export function dropAnywhere({ taken, progress, failed }) {
  const over = h("div", { class: "drop-over", hidden: true, "aria-hidden": "true" }, "Drop to open");
  document.body.append(over);
  const hasFiles = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
  window.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over.hidden = false;
  });
  window.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) over.hidden = true;
  });
  window.addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over.hidden = true;
    try {
      const files = await filesOf(event.dataTransfer);
      if (!files.length) return;
      const paths = await drop(files, progress);
      progress(files.length, files.length);
      taken(paths);
    } catch (error) {
      failed(error);
    }
  });
}

// filesOf lists the dropped files, and the files in dropped folders.
async function filesOf(transfer) {
  const loose = [...transfer.files].map((file) => ({ name: file.name, file }));
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  return entries.length ? (await Promise.all(entries.map((e) => collect(e, "")))).flat() : loose;
}

// collect lists the files of a dropped folder with their paths in it.
async function collect(entry, above) {
  const name = above + entry.name;
  if (entry.isFile) return [{ name, file: await new Promise((ok, no) => entry.file(ok, no)) }];
  const reader = entry.createReader(),
    found = [];
  for (;;) {
    // a reader returns a hundred entries at a time
    const some = await new Promise((ok, no) => reader.readEntries(ok, no));
    if (!some.length) break;
    for (const e of some) found.push(...(await collect(e, name + "/")));
  }
  return found;
}
