// The scroll position, kept while a screen is redrawn.

const places = ".panel, .list-body, .tree, .hex, .folder-side, .scene-about, .sim-object, .replay-inputs";

const patience = 3000; // milliseconds

// scrolled stores the scroll positions of all elements below an element. It returns a
// function that scrolls back. With patient, it tries again while the page is growing, until
// the user scrolls, clicks or presses a key.
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
  const reached = () =>
    noted
      .map(({ name, nth, top, left }) => {
        const element = all().filter((e) => e.className === name)[nth];
        element?.scrollTo(left, top);
        return element && Math.abs(element.scrollTop - top) < 2;
      })
      .every(Boolean);
  return (patient = false) => {
    const ended = new AbortController(),
      until = performance.now() + patience;
    for (const kind of ["wheel", "pointerdown", "keydown", "hashchange"])
      addEventListener(kind, () => ended.abort(), { once: true, signal: ended.signal, passive: true });
    requestAnimationFrame(function again() {
      if (ended.signal.aborted) return;
      if (reached() || !patient || performance.now() > until) ended.abort();
      else setTimeout(() => requestAnimationFrame(again), 50);
    });
  };
}
