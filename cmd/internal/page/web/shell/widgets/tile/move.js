// Keys on tiles: arrows move, Home and End go to the ends, Space chooses a file, and with
// Shift all files from the last chosen one.

// target is the index of the tile that a key leads to; columns is the number of tiles in a
// row. Null means that the key does not move.
export function target(key, at, count, columns) {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (by === undefined) return null;
  return at + by >= 0 && at + by < count ? at + by : at;
}

export function moveByKeys(list) {
  let last = 0; // the tile that was chosen last
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.matches("a.tile-link")) return;
    const links = [...list.querySelectorAll("a.tile-link")],
      at = links.indexOf(event.target);
    if (event.key === " ") {
      event.preventDefault();
      choose(links.slice(...(event.shiftKey ? [Math.min(last, at), Math.max(last, at) + 1] : [at, at + 1])), event);
      last = at;
      return;
    }
    const top = links[0].getBoundingClientRect().top;
    const below = links.findIndex((l) => l.getBoundingClientRect().top > top + 1);
    const to = target(event.key, at, links.length, below < 0 ? links.length : below);
    if (to === null) return;
    event.preventDefault();
    links[to].focus();
  });
}

// choose ticks the boxes of tiles; one that is alone changes its state.
function choose(links, { shiftKey }) {
  for (const link of links) {
    const box = link.parentElement.querySelector(".tile-choose input");
    if (box && (!shiftKey || !box.checked)) box.click();
  }
}
