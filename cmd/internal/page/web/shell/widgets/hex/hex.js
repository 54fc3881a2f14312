// Bytes of files of any size: pages are read when they scroll into view.
//
//   makeHex({ read: async (from, to) => Uint8Array, size, pick: (offset) => {} })
//
// mark(from, to) marks bytes and shows them; paint(list) colours ranges.

import { h, styles } from "../../lib/dom.js";
import { hex } from "../../lib/format.js";

await styles(new URL("./hex.css", import.meta.url));

const lineHeight = 20,
  pageSize = 1 << 16,
  perLine = 16;
// Browsers limit the height of an element. Beyond this limit a pixel of the scroll bar
// stands for several lines.
const mostHeight = 8000000;

export function makeHex({ read, size, pick }) {
  const pages = new Map(); // number -> Uint8Array or a promise of it
  const lines = Math.max(1, Math.ceil(size / perLine));
  const height = Math.min(lines * lineHeight, mostHeight);
  const space = h("div", { class: "hex-space", style: { height: height + "px" } });
  const view = h("div", { class: "hex-view", "aria-hidden": "true" });
  const status = h("div", { class: "hex-status", role: "status", "aria-live": "polite" });
  const element = h("div", { class: "hex", tabindex: "0", role: "group", "aria-label": "Bytes" }, space, view, status);
  let marked = null,
    at = 0,
    first = 0;

  const scale = () => (lines * lineHeight - element.clientHeight) / Math.max(1, height - element.clientHeight);

  function page(n) {
    if (!pages.has(n)) {
      const promise = read(n * pageSize, Math.min(size, (n + 1) * pageSize))
        .then((data) => {
          pages.set(n, data);
          while (pages.size > 64) pages.delete(pages.keys().next().value);
          draw();
        })
        .catch((error) => {
          pages.delete(n);
          status.textContent = error.message;
        });
      pages.set(n, promise);
    }
    const got = pages.get(n);
    return got instanceof Uint8Array ? got : null;
  }

  // byte is the byte at an offset, or undefined until it is read.
  function byte(offset) {
    return page(Math.floor(offset / pageSize))?.[offset % pageSize];
  }

  function draw() {
    first = Math.min(Math.max(0, lines - 1), Math.floor((element.scrollTop * Math.max(1, scale())) / lineHeight));
    const shown = Math.ceil(element.clientHeight / lineHeight);
    view.style.top = element.scrollTop + "px";
    const rows = [];
    for (let i = first; i < Math.min(lines, first + shown); i++) rows.push(makeLine(i));
    view.replaceChildren(...rows);
  }

  function makeLine(i) {
    const row = h("div", { class: "hex-line" }, h("span", { class: "hex-at" }, hex(i * perLine, 6).slice(2)));
    const codes = h("span", { class: "hex-codes" }),
      text = h("span", { class: "hex-text" });
    for (let k = 0; k < perLine; k++) {
      const offset = i * perLine + k;
      if (offset >= size) break;
      const value = byte(offset);
      const classes = [];
      if (marked && offset >= marked.from && offset < marked.to) classes.push("marked");
      if (offset === at) classes.push("at");
      if (value === 0) classes.push("zero");
      const code = value === undefined ? ".." : value.toString(16).padStart(2, "0");
      const letter = value === undefined ? " " : value >= 32 && value < 127 ? String.fromCharCode(value) : "·";
      codes.append(h("span", { class: classes.join(" ") || null, "data-at": offset }, code), k % 8 === 7 ? "  " : " ");
      text.append(h("span", { class: classes.join(" ") || null, "data-at": offset }, letter));
    }
    row.append(codes, text);
    return row;
  }

  function show(offset) {
    const line = Math.floor(offset / perLine),
      visible = Math.floor(element.clientHeight / lineHeight);
    if (line < first || line >= first + visible - 1) {
      element.scrollTop = Math.max(0, (line - 3) * lineHeight) / Math.max(1, scale());
    }
    draw();
  }

  function move(to) {
    at = Math.max(0, Math.min(size - 1, to));
    show(at);
    const value = byte(at);
    status.textContent = `${hex(at)}: ${value === undefined ? "" : hex(value)}`;
    pick?.(at);
  }

  element.addEventListener("scroll", draw, { passive: true });
  element.addEventListener("click", (event) => {
    const offset = event.target.closest?.("[data-at]")?.dataset.at;
    if (offset !== undefined) move(Number(offset));
  });
  element.addEventListener("keydown", (event) => {
    const page = perLine * Math.max(1, Math.floor(element.clientHeight / lineHeight) - 1);
    const steps = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: perLine,
      ArrowUp: -perLine,
      PageDown: page,
      PageUp: -page,
      Home: -size,
      End: size,
    };
    if (event.key in steps) {
      event.preventDefault();
      move(at + steps[event.key]);
    }
  });
  new ResizeObserver(draw).observe(element);

  return {
    element,
    mark(from, to) {
      marked = { from, to };
      at = from;
      show(from);
    },
    at: () => at,
    byte,
    redraw: draw,
  };
}
