// The tables work without this: it sorts by a column and filters by a word.
const body = document.querySelector("table.sorted tbody"),
  heads = [...document.querySelectorAll("table.sorted th")];
const value = (row, i) => {
  const text = row.cells[i].textContent,
    n = parseFloat(text.replace(/[ ,']/g, ""));
  return row.cells[i].className === "n" && !isNaN(n) ? n : text.toLowerCase();
};
heads.forEach((head, i) =>
  head.querySelector("button")?.addEventListener("click", () => {
    const down = head.ariaSort === "ascending";
    heads.forEach((h) => h.removeAttribute("aria-sort"));
    head.ariaSort = down ? "descending" : "ascending";
    const order = (a, b) => {
      const x = value(a, i),
        y = value(b, i);
      return (typeof x === typeof y ? (x < y ? -1 : x > y) : typeof x === "number" ? 1 : -1) * (down ? -1 : 1);
    };
    body.append(...[...body.rows].sort(order));
  }),
);
document.getElementById("filter")?.addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/);
  for (const row of body.rows) row.hidden = !words.every((w) => row.textContent.toLowerCase().includes(w));
});
