// The rows of a search result as tiles, a page at a time.

import { makeTiles } from "../tile/tile.js";

export function makeGallery(table, signal, atOnce = 60) {
  const at = Object.fromEntries(table.columns.map((name, i) => [name, i]));
  const tiles = makeTiles(signal);
  tiles.element.classList.add("gallery");
  let shown = 0;

  // file converts a row for tiles; the values of the index are shown at once.
  function file(row) {
    const say = (name) => (at[name] === undefined ? "" : table.texts[row][at[name]]);
    const name = say("path").split("/").at(-1);
    return {
      path: table.paths[row],
      name,
      title: say("name") || name,
      who: say("author"),
      time: say("author_time") || say("time"),
      where: [say("env") || say("kind"), say("size")].filter(Boolean).join(" · "),
    };
  }

  // more shows the next page, and reports whether any rows remain.
  function more() {
    const end = Math.min(table.rows.length, shown + atOnce);
    tiles.add(Array.from({ length: end - shown }, (_, i) => file(shown + i)));
    shown = end;
    return shown < table.rows.length;
  }
  more();
  return { element: tiles.element, more, left: () => table.rows.length - shown };
}
