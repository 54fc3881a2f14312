// A list of any length: only the visible rows are in the page. It is a grid for
// screen readers. Arrow keys move in it, a click on a column sorts it, and a filter hides
// rows.
//
//   const list = makeList({
//     label: "Entries",
//     columns: [{ name: "name", title: "Name", cell: (row) => text or node, sort: (row) => value, width: "1fr", number: true }],
//                                     // phone: "title", "under" or "end" of the two lines of a
//                                     // row on a phone, which omits the other columns
//     open: (row) => {},   // Enter or double click
//     pick: (row) => {},   // the selection moved here
//     ordered: (order) => {}, // the user sorted the list
//                                     // a column with before(rows) awaits it before sorting
//     made: (row, element) => {}, // a row was added to the page
//     words: (row) => [text], // typing moves to the row with this beginning
//     rowHeight: 26,
//   });
//   list.element; list.rows(array); list.filter((row) => true); list.at() // the row under the cursor

import { h, replace, styles } from "../../lib/dom.js";

await styles(new URL("./list.css", import.meta.url));

export function makeList({ label, columns, open, pick, href, sorted, ordered, made: shown, words, rowHeight = 26 }) {
  let all = [],
    seen = [],
    accept = null,
    at = 0;
  let order = sorted && columns[sorted.column]?.sort ? sorted : null; // {column, down}
  const two = columns.some((c) => c.phone),
    phone = matchMedia("(max-width: 720px)"),
    classOf = (c) => [c.number && "number", c.phone && "list-" + c.phone].filter(Boolean).join(" ");
  const linked = Math.max(
    0,
    columns.findIndex((c) => c.phone === "title"),
  );
  const height = () => (two && phone.matches ? 52 : rowHeight);
  let high = height();
  const head = h(
    "div",
    { class: "list-head", role: "row" },
    columns.map((c, i) =>
      h(
        "div",
        { role: "columnheader", class: classOf(c) },
        c.sort ? h("button", { type: "button", class: "quiet", onclick: () => sortBy(i) }, c.title) : c.title,
      ),
    ),
  );
  const space = h("div", { class: "list-space", role: "rowgroup" });
  const body = h(
    "div",
    { class: "list-body", role: "grid", "aria-label": label, tabindex: "0" },
    h("div", { role: "rowgroup" }, head),
    space,
  );
  const element = h("div", { class: "list" + (two ? " list-two" : "") }, body);
  element.style.setProperty("--columns", columns.map((c) => c.width || "minmax(6ch, 1fr)").join(" "));
  const made = new Map(); // index -> element

  function arrange() {
    seen = accept ? all.filter(accept) : all.slice();
    if (order) {
      const key = columns[order.column].sort;
      const sign = order.down ? -1 : 1;
      seen.sort((x, y) => {
        const a = key(x),
          b = key(y);
        if (a === b) return 0;
        if (a === null || a === undefined) return 1;
        if (b === null || b === undefined) return -1;
        return (a < b ? -1 : 1) * sign;
      });
    }
    [...head.children].forEach((c, i) =>
      c.setAttribute("aria-sort", order?.column === i ? (order.down ? "descending" : "ascending") : "none"),
    );
    at = Math.min(at, Math.max(seen.length - 1, 0));
    body.setAttribute("aria-rowcount", seen.length + 1);
    space.style.height = seen.length * high + "px";
    made.forEach((row) => row.remove());
    made.clear();
    draw();
  }

  async function sortBy(column) {
    order = { column, down: order?.column === column ? !order.down : Boolean(columns[column].number) };
    ordered?.(order);
    await prepared();
  }

  // prepared sorts when all values that the column compares are known.
  async function prepared() {
    const now = order,
      before = order && columns[order.column].before;
    if (before) {
      body.setAttribute("aria-busy", "true");
      await before(all);
      body.removeAttribute("aria-busy");
    }
    if (now === order) arrange();
  }

  // draw adds the visible rows, and a few more, to the page.
  function draw() {
    const first = Math.max(0, Math.floor((body.scrollTop - head.offsetHeight) / high) - 6);
    const last = Math.min(seen.length, Math.ceil((body.scrollTop + body.clientHeight) / high) + 6);
    for (const [i, row] of made) {
      if (i < first || i >= last) {
        row.remove();
        made.delete(i);
      }
    }
    for (let i = first; i < last; i++) {
      if (!made.has(i)) made.set(i, space.appendChild(makeRow(i)));
    }
  }

  function makeRow(i) {
    const row = seen[i];
    const cells = columns.map((c, k) => {
      const content = c.cell(row);
      const to = k === linked && href ? href(row) : null;
      return h(
        "div",
        { role: "gridcell", class: classOf(c) },
        to ? h("a", { href: to, tabindex: "-1" }, content) : content,
      );
    });
    const element = h(
      "div",
      {
        class: "list-row" + (i === at ? " at" : ""),
        role: "row",
        "aria-rowindex": i + 2,
        "aria-selected": i === at ? "true" : "false",
        style: { top: i * high + "px", height: high + "px" },
        onclick: () => move(i),
        ondblclick: () => open?.(row),
      },
      cells,
    );
    shown?.(row, element);
    return element;
  }

  function move(to) {
    if (!seen.length) return;
    to = Math.max(0, Math.min(seen.length - 1, to));
    made.get(at)?.classList.remove("at");
    made.get(at)?.setAttribute("aria-selected", "false");
    at = to;
    const top = at * high,
      visible = body.clientHeight - head.offsetHeight;
    if (top < body.scrollTop) body.scrollTop = top;
    else if (top + high > body.scrollTop + visible) body.scrollTop = top + high - visible;
    draw();
    made.get(at)?.classList.add("at");
    made.get(at)?.setAttribute("aria-selected", "true");
    pick?.(seen[at]);
  }

  body.addEventListener("scroll", draw, { passive: true });
  let typed = "",
    typedAt = 0;
  function typeAhead(event) {
    typed = (event.timeStamp - typedAt < 900 ? typed : "") + event.key.toLowerCase();
    typedAt = event.timeStamp;
    const from = typed.length === 1 ? at + 1 : at,
      i = seen.findIndex((_, k) =>
        words(seen[(from + k) % seen.length]).some((w) => w.toLowerCase().startsWith(typed)),
      );
    if (i >= 0) move((from + i) % seen.length);
    event.preventDefault();
    event.stopPropagation(); // letters must not act as keys of the page here
  }

  body.addEventListener("keydown", (event) => {
    if (
      words &&
      event.target === body &&
      /^[^\s/?]$/u.test(event.key) &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey
    )
      return typeAhead(event);
    const page = Math.max(1, Math.floor(body.clientHeight / high) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -seen.length, End: seen.length };
    if (event.key in steps) {
      event.preventDefault();
      move(at + steps[event.key]);
    } else if (event.key === "Enter" && event.target === body && seen[at]) {
      if (open) open(seen[at]);
      else if (href?.(seen[at])) location.hash = href(seen[at]);
    }
  });
  new ResizeObserver(() => {
    if (high === height()) return draw();
    high = height();
    arrange();
  }).observe(body);

  return {
    element,
    rows(rows) {
      all = rows;
      arrange();
      if (order && columns[order.column].before) prepared();
    },
    filter(f) {
      accept = f;
      arrange();
    },
    shown: () => seen,
    at: () => seen[at],
    pickWhere(f) {
      const i = seen.findIndex(f);
      if (i >= 0) move(i);
    },
    replace: (...children) => replace(element, ...children),
  };
}
