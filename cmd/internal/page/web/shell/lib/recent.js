// What was looked at lately, kept by the browser: paths and what they are, never
// content.

const key = "pakbox.recent",
  most = 12;

export function recent() {
  try {
    return JSON.parse(localStorage.getItem(key)) || [];
  } catch {
    return [];
  }
}

export function remember(path, what) {
  const list = recent().filter((r) => r.path !== path);
  list.unshift({ path, title: what.title || "" });
  try {
    localStorage.setItem(key, JSON.stringify(list.slice(0, most)));
  } catch {
    /* private windows keep nothing */
  }
}
