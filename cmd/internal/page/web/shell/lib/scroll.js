// The scroll position, kept while a screen is redrawn.

const places = ".panel, .list-body, .tree, .hex, .folder-side, .scene-about, .sim-object, .replay-inputs";

// scrolled stores the scroll positions of all elements below an element. It returns a
// function that scrolls back as soon as the page is long enough.
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
