// A tree of any size, whose branches are requested when they are opened: only
// the visible lines are in the page.
//
//   makeTree({ label, children: async (node) => [node], line: (node) => content, pick: (node) => {}, indent: pixels })
//
// A node has key (unique in the tree) and leaf (without children).

import { h, styles } from "../../lib/dom.js";

await styles(new URL("./tree.css", import.meta.url));

const lineHeight = 24;

export function makeTree({ label, children, line, pick, indent = 4 }) {
  let lines = []; // {node, depth, open}
  let at = 0;
  const space = h("div", { class: "tree-space", role: "none" });
  const element = h("div", { class: "tree", role: "tree", "aria-label": label, tabindex: "0" }, space);
  const made = new Map();

  function draw() {
    space.style.height = lines.length * lineHeight + "px";
    const first = Math.max(0, Math.floor(element.scrollTop / lineHeight) - 8);
    const last = Math.min(lines.length, Math.ceil((element.scrollTop + element.clientHeight) / lineHeight) + 8);
    for (const [i, row] of made) {
      if (i < first || i >= last) {
        row.remove();
        made.delete(i);
      }
    }
    for (let i = first; i < last; i++) {
      if (!made.has(i)) made.set(i, space.appendChild(makeLine(i)));
    }
  }

  function redraw() {
    made.forEach((row) => row.remove());
    made.clear();
    draw();
  }

  function makeLine(i) {
    const { node, depth, open } = lines[i];
    return h(
      "div",
      {
        class: "tree-line" + (i === at ? " at" : ""),
        role: "treeitem",
        "aria-level": depth + 1,
        "aria-expanded": node.leaf ? null : String(Boolean(open)),
        "aria-selected": i === at ? "true" : "false",
        style: { top: i * lineHeight + "px", paddingLeft: indent + depth * 16 + "px" },
        onclick: (event) => {
          move(i);
          if (event.target.classList.contains("tree-twist") || event.detail === 2) toggle(i);
        },
      },
      h("span", { class: "tree-twist", "aria-hidden": "true" }, node.leaf ? "" : open ? "▾" : "▸"),
      line(node),
    );
  }

  async function toggle(i, want) {
    const row = lines[i];
    if (!row || row.node.leaf || want === Boolean(row.open)) return;
    if (row.open) {
      let end = i + 1;
      while (end < lines.length && lines[end].depth > row.depth) end++;
      lines.splice(i + 1, end - i - 1);
      row.open = false;
      if (at >= end)
        at -= end - i - 1; // the same line stays selected
      else if (at > i) at = i;
    } else {
      row.open = true;
      const below = await children(row.node);
      const here = lines.indexOf(row); // the lines may have moved meanwhile
      if (here < 0 || !row.open) return;
      lines = [
        ...lines.slice(0, here + 1),
        ...below.map((node) => ({ node, depth: row.depth + 1 })),
        ...lines.slice(here + 1),
      ];
      if (here < at) at += below.length;
    }
    redraw();
  }

  // openBeside opens the siblings of a line, and the line itself.
  async function openBeside(i) {
    const { depth } = lines[i];
    let first = i;
    while (first > 0 && lines[first - 1].depth >= depth) first--;
    const beside = [];
    for (let k = first; k < lines.length && lines[k].depth >= depth; k++)
      if (lines[k].depth === depth) beside.push(lines[k]);
    for (const row of beside) await toggle(lines.indexOf(row), true);
  }

  function move(to, quiet) {
    if (!lines.length) return;
    at = Math.max(0, Math.min(lines.length - 1, to));
    const top = at * lineHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + lineHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + lineHeight - element.clientHeight;
    redraw();
    if (!quiet) pick?.(lines[at].node);
  }

  element.addEventListener("scroll", draw, { passive: true });
  element.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(element.clientHeight / lineHeight) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -lines.length, End: lines.length };
    if (event.key in steps) move(at + steps[event.key]);
    else if (event.key === "*" && lines.length) openBeside(at);
    else if (event.key === "ArrowRight") {
      if (lines[at]?.open) move(at + 1);
      else toggle(at, true);
    } else if (event.key === "ArrowLeft") {
      if (lines[at]?.open) toggle(at, false);
      else {
        let up = at;
        while (up > 0 && lines[up].depth >= lines[at].depth) up--;
        move(up);
      }
    } else if (event.key === "Enter" || event.key === " ") toggle(at);
    else return;
    event.preventDefault();
  });
  new ResizeObserver(draw).observe(element);

  return {
    element,
    // roots shows other roots.
    roots(nodes) {
      lines = nodes.map((node) => ({ node, depth: 0 }));
      at = 0;
      redraw();
    },
    // open opens the branch with a key.
    open: (key) =>
      toggle(
        lines.findIndex(({ node }) => node.key === key),
        true,
      ),
    // reveal opens the branches that lead to a key; leads(node, key) reports whether the key
    // is below a node.
    async reveal(key, leads) {
      for (let i = 0; i < lines.length; i++) {
        const { node, open } = lines[i];
        if (node.key === key) {
          move(i, true);
          return true;
        }
        if (!node.leaf && leads(node, key) && !open) await toggle(i, true);
      }
      return false;
    },
  };
}
