// Where somebody has scrolled to, kept while a screen is drawn anew.

const places = ".panel, .list-body, .tree, .hex, .folder-side, .scene-about, .sim-object, .replay-inputs";

// scrolled notes how far everything below an element is scrolled; what it
// returns scrolls there again, as soon as there is that much to scroll.
export function scrolled(root) {
  const all = () => [root, ...root.querySelectorAll(places)];
  const noted = all()
    .map((e, i, list) => ({
      name: e.className,
      nth: list.slice(0, i).filter((o) => o.className === e.className).length,
      top: e.scrollTop,
      left: e.scrollLeft,
    }))
    .filter((n) => n.top || n.left);
  return () =>
    requestAnimationFrame(() => {
      for (const { name, nth, top, left } of noted)
        all()
          .filter((e) => e.className === name)
          [nth]?.scrollTo(left, top);
    });
}
