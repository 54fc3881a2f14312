// The orders in which a collection shows the rows of an answer.

// orders are the orders for a result, by its columns.
const kinds = ["map", "replay", "ghost", "item", "pack", "object"];

export const orders = {
  kind: [
    "By kind",
    (row) => {
      const i = kinds.indexOf(row.kind);
      return i < 0 ? kinds.length : i;
    },
  ],
  name: ["By name", (row) => (row.name || row.path || "").toLowerCase()],
  time: ["Shortest first", (row) => row.author_time ?? row.time ?? Infinity],
  size: ["Largest first", (row) => -(row.size ?? 0)],
};

// sorted is an answer in another order.
export function sorted(table, by) {
  const row = (r) => Object.fromEntries(table.columns.map((name, i) => [name, table.rows[r][i]])),
    key = orders[by]?.[1] || orders.kind[1];
  const keys = table.rows.map((_, r) => key(row(r)));
  const list = keys.map((_, r) => r).sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
  const pick = (column) => list.map((r) => column[r]);
  return { ...table, rows: pick(table.rows), texts: pick(table.texts), paths: pick(table.paths) };
}
