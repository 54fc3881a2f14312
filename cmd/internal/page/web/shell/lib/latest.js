// A view that the user can exchange for another one, which may take time to load.

// makeLatest keeps the current view. change(make) makes another view, destroys the current one
// and resolves to the new one. If the user has changed to a third view meanwhile, or the
// screen was left, the late view is destroyed, and change resolves to null.
export function makeLatest(first) {
  let current = first,
    turn = 0;
  return {
    get current() {
      return current;
    },
    async change(make) {
      const mine = ++turn;
      const next = await make();
      if (mine !== turn) {
        next.destroy();
        return null;
      }
      current.destroy();
      current = next;
      return next;
    },
    destroy() {
      turn++;
      current.destroy();
    },
  };
}
