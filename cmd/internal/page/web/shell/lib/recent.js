// Recently opened files, kept by the browser: their paths and kinds, never their content.

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
