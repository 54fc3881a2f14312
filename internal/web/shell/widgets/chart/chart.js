// Charts over a common axis whose cursors move together.

import { h, styles } from "../../lib/dom.js";
import uPlot from "../../vendor/uplot.js";

await Promise.all([styles(new URL("../../vendor/uplot.css", import.meta.url)), styles(new URL("./chart.css", import.meta.url))]);

// colours of series, readable on both grounds.
const look = getComputedStyle(document.documentElement);
export const colours = Array.from({ length: 10 }, (_, i) => look.getPropertyValue("--series-" + (i + 1)).trim());

// makeCharts draws one chart for each of rows below each other:
//   makeCharts({ axis: {title, values}, rows: [{title, unit, series: [{name, values, colour}]}], moved: (x) => {} })
// The cursor of one is that of all; at(x) puts it there.
export function makeCharts({ axis, rows, moved }) {
  const element = h("div", { class: "charts" });
  const sync = uPlot.sync(Math.random().toString(36));
  const ink = getComputedStyle(document.documentElement);
  const axisStyle = () => ({ stroke: ink.getPropertyValue("--text-2"), grid: { stroke: ink.getPropertyValue("--line"), width: 0.5 }, ticks: { show: false } });
  const plots = rows.map((row, i) => {
    const box = h("div", { class: "chart", role: "img", "aria-label": `${row.title} over ${axis.title}` });
    element.append(h("div", { class: "chart-title" }, row.title, row.unit && h("span", { class: "note" }, " " + row.unit)), box);
    const plot = new uPlot({
      width: 600, height: row.height || 110,
      cursor: { sync: { key: sync.key, setSeries: false }, y: false },
      legend: { show: false },
      scales: { x: { time: false } },
      axes: [{ ...axisStyle(), show: i === rows.length - 1, size: 26 }, { ...axisStyle(), size: 52 }],
      series: [{}, ...row.series.map((s, k) => ({ label: s.name, stroke: s.colour || colours[k % colours.length], width: 1.4, spanGaps: false, points: { show: false } }))],
      hooks: { setCursor: [(u) => { if (moved && u.cursor.left >= 0 && u.cursor.event) moved(u.posToVal(u.cursor.left, "x")); }] },
    }, [axis.values, ...row.series.map((s) => s.values)], box);
    return { plot, box };
  });
  const fit = () => plots.forEach(({ plot, box }) => plot.setSize({ width: Math.max(200, box.clientWidth), height: plot.height }));
  new ResizeObserver(fit).observe(element);
  return {
    element,
    at(x) { plots.forEach(({ plot }) => plot.setCursor({ left: plot.valToPos(x, "x"), top: 0 }, false)); },
    destroy() { plots.forEach(({ plot }) => plot.destroy()); },
  };
}
