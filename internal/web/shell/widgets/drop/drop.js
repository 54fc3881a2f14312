// Files and folders that somebody drops on the page, or chooses.

import { h } from "../../lib/dom.js";
import { drop } from "../../lib/transport.js";

// makeDrop makes the place to drop on; taken is given the paths that the files
// have now.
export function makeDrop({ taken, failed }) {
  const bar = h("progress", { hidden: true, "aria-label": "Files handed over" });
  const choose = h("input", { type: "file", multiple: true, id: "choose", class: "drop-input", onchange: () => take([...choose.files].map((file) => ({ name: file.name, file }))) });
  const element = h("div", { class: "drop" },
    h("p", {}, h("strong", {}, "Drop files or folders anywhere"), ", or ",
      h("label", { for: "choose", class: "drop-choose" }, "choose files"), choose),
    h("p", { class: "note" }, "They stay on this computer."), bar);

  async function take(files) {
    if (!files.length) return;
    bar.hidden = false;
    bar.max = files.length;
    try {
      taken(await drop(files, (done) => { bar.value = done; }));
    } catch (error) {
      failed(error);
    }
    bar.hidden = true;
  }

  return { element, take };
}

// dropAnywhere takes files and folders that are dropped on any screen.
export function dropAnywhere({ taken, progress, failed }) {
  const over = h("div", { class: "drop-over", hidden: true, "aria-hidden": "true" }, "Drop to open");
  document.body.append(over);
  const hasFiles = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
  window.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over.hidden = false;
  });
  window.addEventListener("dragleave", (event) => { if (!event.relatedTarget) over.hidden = true; });
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

// filesOf lists what was dropped, folders with all that is in them.
async function filesOf(transfer) {
  const loose = [...transfer.files].map((file) => ({ name: file.name, file }));
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  return entries.length ? (await Promise.all(entries.map((e) => collect(e, "")))).flat() : loose;
}

// collect lists the files of a dropped folder with their paths in it.
async function collect(entry, above) {
  const name = above + entry.name;
  if (entry.isFile) return [{ name, file: await new Promise((ok, no) => entry.file(ok, no)) }];
  const reader = entry.createReader(), found = [];
  for (;;) { // a reader gives a hundred at a time
    const some = await new Promise((ok, no) => reader.readEntries(ok, no));
    if (!some.length) break;
    for (const e of some) found.push(...await collect(e, name + "/"));
  }
  return found;
}
