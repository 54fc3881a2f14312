// A document with the few parts of the DOM that the tested modules use.

class FakeNode {
  parent = null;
}

class FakeText extends FakeNode {
  constructor(text) {
    super();
    this.textContent = text;
  }
}

class FakeElement extends FakeNode {
  attributes = {};
  childNodes = [];
  style = {};
  dataset = {};
  listeners = {};

  constructor(tag) {
    super();
    this.tagName = tag;
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
    if (name.startsWith("data-")) this.dataset[name.slice(5)] = String(value);
  }
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }
  addEventListener(type, listener) {
    (this.listeners[type] ||= []).push(listener);
  }
  click() {
    for (const listener of this.listeners.click || []) listener({ target: this });
  }
  append(...nodes) {
    for (const node of nodes) {
      const child = node instanceof FakeNode ? node : new FakeText(String(node));
      child.parent = this;
      this.childNodes.push(child);
    }
  }
  replaceChildren(...nodes) {
    this.childNodes = [];
    this.append(...nodes);
  }
  contains(node) {
    for (let n = node; n; n = n.parent) if (n === this) return true;
    return false;
  }
  get textContent() {
    return this.childNodes.map((n) => n.textContent).join("");
  }
  // all lists the elements below this one with a tag.
  all(tag) {
    return this.childNodes.flatMap((n) =>
      n instanceof FakeElement ? [...(n.tagName === tag ? [n] : []), ...n.all(tag)] : [],
    );
  }
  querySelectorAll(tag) {
    return this.all(tag);
  }
}

const stored = new Map();

globalThis.Node = FakeNode;
globalThis.document = {
  baseURI: import.meta.url,
  activeElement: null,
  head: new FakeElement("head"),
  createElement: (tag) => new FakeElement(tag),
  createElementNS: (_, tag) => new FakeElement(tag),
};
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, String(value)),
};
globalThis.location = { hash: "" };
globalThis.pakboxStyles = { has: () => true }; // no style is fetched
