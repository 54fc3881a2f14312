// Saved searches of an index, kept in the browser.

const key = "pakbox-searches";

// searches lists the saved searches of an index: [{title, q, sql}].
export function searches(index) {
  try {
    return JSON.parse(localStorage.getItem(key))?.[index] || [];
  } catch {
    return []; // private windows keep nothing
  }
}

// keepSearches replaces the saved searches of an index.
export function keepSearches(index, list) {
  try {
    localStorage.setItem(
      key,
      JSON.stringify({ ...JSON.parse(localStorage.getItem(key) || "{}"), [index]: list.slice(0, 50) }),
    );
  } catch {
    /* private windows keep nothing */
  }
}
