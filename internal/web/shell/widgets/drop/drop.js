// Files and folders that somebody drops on the page, or chooses.

import { h } from "../../lib/dom.js";
import { drop } from "../../lib/transport.js";

// makeDrop makes the place to drop on; taken is given the paths that the files
// have now.
export function makeDrop({ taken, failed }) {
  const bar = h("progress", { hidden: true, "aria-label": "Files handed over" });
  const choose = h("input", { type: "file", multiple: true, id: "choose", class: "drop-input", onchange: () => take([...choose.files].map((file) => ({ name: file.name, file }))) });
  const element = h("div", { class: "drop" },
    h("p", {}, h("strong", {}, "Drop files or folders here"), ", or ",
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

  const over = (on) => (event) => { event.preventDefault(); element.classList.toggle("over", on); };
  element.addEventListener("dragover", over(true));
  element.addEventListener("dragleave", over(false));
  element.addEventListener("drop", async (event) => {
    over(false)(event);
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const files = entries.length ? (await Promise.all(entries.map((e) => collect(e, "")))).flat()
      : [...event.dataTransfer.files].map((file) => ({ name: file.name, file }));
    take(files);
  });
  return { element, take };
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
