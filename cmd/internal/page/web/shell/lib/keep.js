// Choices that the browser keeps between visits: the look of a folder, the order of a
// list. Private windows keep nothing.

export function kept(name, usual) {
  try {
    return JSON.parse(localStorage.getItem("pakbox." + name)) ?? usual;
  } catch {
    return usual;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem("pakbox." + name, JSON.stringify(value));
  } catch {
    /* nothing is kept */
  }
}
