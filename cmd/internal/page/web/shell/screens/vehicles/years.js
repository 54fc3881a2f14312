// The years in which objects are sold.

// year is a month such as 1931-07 as a number.
export function year(text) {
  const [y, m] = String(text || "")
    .split("-")
    .map(Number);
  return Number.isFinite(y) && y > 0 ? y + ((m || 1) - 1) / 12 : null;
}

// usualYears are the years of the axis. Three carts of the year 1 must not stretch it
// over two thousand years: isolated objects long before or after the others, one of four or
// a few of many, are drawn at the edge.
export function usualYears(all) {
  const begins = all
    .map((o) => o.from)
    .filter((t) => t !== null)
    .sort((a, b) => a - b);
  if (!begins.length) return [1900, 2000];
  const n = begins.length,
    few = n > 3 ? 1 : 0,
    low = begins[Math.max(few, Math.floor(n / 20))],
    high = begins[Math.min(n - 1 - few, Math.ceil(n * 0.98) - 1)];
  return [low - begins[0] > 60 ? low - 10 : begins[0], begins.at(-1) - high > 60 ? high + 10 : begins.at(-1)].map(
    (v, i) => (i ? Math.ceil(v / 10) * 10 : Math.floor(v / 10) * 10),
  );
}
