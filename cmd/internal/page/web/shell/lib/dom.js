// All elements are made here: text always becomes a text node, so that a name in a
// file can never become markup.

// h makes an element: h("a", {href: "#/", class: "x", onclick: f}, "text", child).
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// svg is h for drawings.
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  append(element, children);
  return element;
}

// append adds children: elements, texts, or lists of them. It skips null and false.
export function append(parent, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

// replace replaces the children of an element.
export function replace(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

const loaded = new Map();

// styles loads a screen's style sheet once. It resolves when the styles apply, so that
// nothing is shown without them.
export function styles(url) {
  const href = String(url);
  if (globalThis.pakboxStyles?.has(href.slice(new URL(".", document.baseURI).href.length))) return Promise.resolve(); // app.css has it
  if (!loaded.has(href)) {
    loaded.set(
      href,
      new Promise((resolve) => {
        const link = h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve });
        document.head.append(link);
      }),
    );
  }
  return loaded.get(href);
}
