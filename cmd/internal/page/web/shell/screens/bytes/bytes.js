// Values and bytes side by side: a click on either selects the other. Layers are
// tabs: the file, its uncompressed body, and the uncompressed content of compressed blocks
// in the body.

import { h, replace, styles } from "../../lib/dom.js";
import { bytes } from "../../lib/api.js";
import { changeButton } from "../../widgets/change/change.js";
import * as address from "../../lib/address.js";
import { hex, size } from "../../lib/format.js";
import { makeTree } from "../../widgets/tree/tree.js";
import { makeHex } from "../../widgets/hex/hex.js";

await styles(new URL("./bytes.css", import.meta.url));

export const whole = true;

export async function show(page) {
  const { path } = page;
  const { layers } = await page.ask("layers", { path });
  // An address with a value but without a layer refers to the bytes of that value.
  const wanted =
    page.query.value && !page.query.layer
      ? await page.ask("value", { path, at: page.query.value }).then(
          (found) => found.value.layer,
          () => null,
        )
      : null;
  const layer = layers.find((l) => l.name === (page.query.layer || wanted)) || layers[Math.min(1, layers.length - 1)];
  page.command(
    page.what.values ? `pakbox dump --offsets ${page.what.shell_path}` : `pakbox cat ${page.what.shell_path} | xxd`,
  );
  const inspector = h("dl", { class: "facts bytes-inspector", "aria-label": "The bytes here as numbers" });
  const described = h("div", { class: "bytes-value", role: "region", "aria-label": "The chosen value", tabindex: "0" });
  const view = makeHex({
    size: layer.size,
    read: async (from, to) =>
      (await bytes("bytes", { path, layer: layer.name }, from, to, { signal: page.signal })).data,
    pick: async (offset) => {
      inspect(inspector, view, offset, layer.size);
      await showValue(offset);
    },
  });

  let busy = false;
  const tree =
    page.what.values &&
    makeTree({
      label: "Values",
      children: async (node) => (await page.ask("values", { path, at: node.key })).children.map(nodeOf),
      indent: matchMedia("(max-width: 720px)").matches ? 8 : 96, // offsets are left of the names on wide screens
      line: (node) => [
        node.offset !== null &&
          node.layer === layer.name &&
          h("span", { class: "bytes-at" }, hex(node.offset, 6).slice(2)),
        h("span", { class: "name" + (node.leaf ? "" : " bytes-branch") }, node.name),
        node.text && h("span", { class: "value" }, " " + node.text),
        node.kind && h("span", { class: "type" }, " " + node.kind),
        node.offset !== null && h("span", { class: "bytes-length" }, size(node.length)),
      ],
      pick: (node) => {
        address.change({ value: node.key, at: null }, { quiet: true });
        if (node.layer === layer.name && node.offset !== null)
          view.mark(node.offset, node.offset + Math.max(1, node.length));
        page.command(`pakbox get ${page.what.shell_path} ${node.key}`);
        describe(page, described, node, layer);
        page.status(node.offset === null ? "" : `${node.key}: ${hex(node.offset)}, ${size(node.length)}`);
      },
    });

  // showValue finds the value that contains a byte.
  async function showValue(offset) {
    address.change({ at: String(offset), value: null }, { quiet: true });
    if (!tree || busy) return;
    busy = true;
    try {
      const found = await page.ask("value-at", { path, layer: layer.name, offset: String(offset) });
      if (found.value) {
        await tree.reveal(found.value.path, (node, key) => leads(node.key, key));
        view.mark(found.value.offset, found.value.offset + Math.max(1, found.value.length));
        describe(page, described, { ...found.value, key: found.value.path });
        page.status(`${found.value.path} = ${found.value.text || ""}`);
      }
    } finally {
      busy = false;
    }
  }

  async function go(offset) {
    view.mark(offset, offset + 1);
    inspect(inspector, view, offset, layer.size);
    await showValue(offset);
    page.status("at " + hex(offset));
  }

  const strip =
    page.what.values &&
    layer.decoded !== undefined &&
    coverage(layer, (offset) => {
      view.mark(offset, offset + 1);
    });
  const search = h("input", {
    type: "search",
    "data-search": "",
    class: "bytes-search",
    placeholder: "A text, a number, or bytes: de ad be ef",
    title: "text, or numbers as 0x1234, 12.5f, de ad be ef",
    "aria-label": "Search in the bytes",
  });
  let last = -1;
  const find = h(
    "form",
    {
      class: "bar bytes-bar",
      onsubmit: async (event) => {
        event.preventDefault();
        const found = await page.ask("search", { path, layer: layer.name, q: search.value, from: String(last + 1) });
        last = found.offset ?? -1;
        if (found.offset === null)
          page.status(found.wrapped ? "Not found." : "No more matches. The search starts again at the beginning.");
        else {
          view.mark(found.offset, found.offset + found.length);
          page.status("at " + hex(found.offset));
        }
      },
    },
    layers.length > 1 &&
      h(
        "span",
        { role: "group", "aria-label": "Layer", class: "choice bytes-layers" },
        layers.map((l) =>
          h(
            "a",
            {
              href: address.of(path, { ...page.query, layer: l.name, at: null }),
              "aria-current": l === layer ? "true" : null,
              title: l.title,
            },
            `${l.title}, ${size(l.size)}`,
          ),
        ),
      ),
    strip && verdict(layer),
    h("span", { class: "grow" }),
    search,
    h("button", {}, "Find next"),
    h("button", { type: "button", onclick: () => askOffset(layer.size, go) }, "Go to offset"),
    toError(page),
  );

  replace(
    page.target,
    h("h1", { class: "unseen" }, "Values and bytes of " + path.split("/").at(-1)),
    find,
    h(
      "div",
      { class: "bytes-split" + (tree ? "" : " alone") },
      tree && tree.element,
      tree && (strip || h("div", {})),
      h("div", { class: "bytes-right" }, view.element, described, inspector),
    ),
  );
  if (tree) {
    tree.roots((await page.ask("values", { path })).children.map(nodeOf));
    if (page.query.value) await reveal(page, tree, view, layer, described);
    else if (!page.query.at) await tree.open(layer.name === "file" ? "header" : "body");
  }
  if (page.query.at) {
    const [from, to] = page.query.at.split("-").map(Number);
    if (Number.isFinite(from)) {
      view.mark(from, to > from ? to : from + 1);
      inspect(inspector, view, from, layer.size);
    }
  }
}

// askOffset asks for an offset, as a decimal or hexadecimal number.
function askOffset(size, go) {
  const box = h("input", {
    type: "text",
    placeholder: "0x1a4 or 420",
    required: true,
    pattern: "\\s*(0[xX][0-9a-fA-F]+|[0-9]+)\\s*",
    title: "A number such as 420, or a hexadecimal number such as 0x1a4",
  });
  const trouble = h("p", { class: "bad", role: "alert" });
  const dialog = h(
    "dialog",
    { "aria-label": "Go to offset", onclose: () => dialog.remove() },
    h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          const offset = Number(box.value.trim());
          if (offset >= size) {
            trouble.textContent = `The last byte is at ${hex(size - 1)}.`;
            return;
          }
          dialog.close();
          go(offset);
        },
      },
      h("h1", {}, "Go to offset"),
      h("p", {}, h("label", {}, "Offset ", box)),
      trouble,
      h(
        "div",
        { class: "bar" },
        h("button", { class: "main" }, "Go"),
        h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

// toError goes to the offset of the damage in a damaged file.
function toError({ path, what }) {
  const { offset, entry, kind } = what.error || {};
  return (
    Number.isFinite(offset) &&
    !entry &&
    h(
      "a",
      { class: "bad", href: address.of(path, { tab: "bytes", layer: "file", at: String(offset) }) },
      `${kind.replaceAll("_", " ")} at ${hex(offset)}`,
    )
  );
}

async function reveal(page, tree, view, layer, described) {
  const found = (await page.ask("value", { path: page.path, at: page.query.value })).value;
  await tree.reveal(page.query.value, (node, key) => leads(node.key, key));
  if (found.layer === layer.name && found.offset !== null)
    view.mark(found.offset, found.offset + Math.max(1, found.length));
  describe(page, described, { ...found, key: page.query.value }, layer);
}

// leads reports whether a value's path passes through another value, or through a
// range of a long list.
function leads(above, path) {
  const [, list, from, to] = above.match(/^(.*)\[(\d+)\.\.(\d+)\]$/) || [];
  if (list !== undefined) {
    const at = path.startsWith(list + "[") ? parseInt(path.slice(list.length + 1), 10) : -1;
    return at >= Number(from) && at < Number(to);
  }
  return above !== path && path.startsWith(above) && (path[above.length] === "." || path[above.length] === "[");
}

function nodeOf(v) {
  return {
    key: v.path,
    name: v.name,
    text: v.text,
    kind: v.kind,
    leaf: v.leaf,
    offset: v.offset,
    length: v.length,
    layer: v.layer,
  };
}

// verdict is the share of a layer whose bytes have names.
function verdict({ decoded, size: all }) {
  const whole = decoded >= all;
  return h(
    "span",
    { class: "bytes-verdict " + (whole ? "good" : "warn") },
    whole ? "✓ every byte has a name" : `${((decoded / Math.max(1, all)) * 100).toFixed(2)} % of the bytes have a name`,
  );
}

// describe shows the chosen value in full, with a form to change it, and a link to its bytes
// if they are in another layer than the shown one.
function describe(page, target, { key, text, offset, length, kind, leaf, layer }, seen) {
  const elsewhere = seen && layer && layer !== seen.name && offset !== null;
  replace(
    target,
    h(
      "div",
      { class: "bytes-head" },
      leaf && page.what.changes?.includes("set") && changeButton(page, "set", { key, text: typed(text) }, "Change"),
      h("b", {}, key.split(".").at(-1)),
      offset !== null && offset !== undefined && h("span", { class: "note mono" }, ` ${hex(offset)}, ${size(length)}`),
      kind && h("span", { class: "note" }, " " + kind),
      elsewhere && [" ", h("a", { href: address.of(page.path, { tab: "bytes", layer, value: key }) }, "Its bytes")],
    ),
    text && h("div", { class: "mono bytes-text" }, text),
  );
}

// typed is a value without quotation marks, as the user types it. It is empty for a value
// that is shown only in part.
function typed(text) {
  if (!text || text.includes("…")) return "";
  try {
    return text.startsWith('"') ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

// coverage is an overview of the complete layer beside its bytes: known and unknown
// ranges.
function coverage(layer, pick) {
  const strip = h("canvas", {
    class: "bytes-strip",
    width: 1,
    height: 1000,
    role: "img",
    "aria-label": `${((layer.decoded / Math.max(1, layer.size)) * 100).toFixed(2)} % of the bytes are understood`,
  });
  const ink = strip.getContext("2d"),
    css = getComputedStyle(document.documentElement);
  ink.fillStyle = css.getPropertyValue("--line");
  ink.fillRect(0, 0, 1, 1000);
  ink.fillStyle = css.getPropertyValue("--bad");
  for (const [from, to] of layer.coverage || [])
    ink.fillRect(0, (from / layer.size) * 1000, 1, Math.max(1, ((to - from) / layer.size) * 1000));
  strip.addEventListener("click", (event) => pick(Math.floor((event.offsetY / strip.clientHeight) * layer.size)));
  return strip;
}

// inspect shows the bytes at an offset as numbers of several types.
function inspect(target, view, offset, size) {
  const data = new DataView(new ArrayBuffer(8));
  let n = 0;
  for (; n < 8 && offset + n < size; n++) {
    const byte = view.byte(offset + n);
    if (byte === undefined) break;
    data.setUint8(n, byte);
  }
  const rows = [["offset", hex(offset)]];
  if (n >= 1) rows.push(["uint8", data.getUint8(0)]);
  if (n >= 2) rows.push(["uint16", data.getUint16(0, true)]);
  if (n >= 4)
    rows.push(
      ["uint32", `${data.getUint32(0, true)} (${hex(data.getUint32(0, true), 8)})`],
      ["int32", data.getInt32(0, true)],
      ["float", data.getFloat32(0, true).toPrecision(7)],
    );
  if (n >= 8) rows.push(["uint64", String(data.getBigUint64(0, true))]);
  replace(
    target,
    rows.map(([k, v]) => [h("dt", {}, k), h("dd", { class: "mono" }, v)]),
  );
}
