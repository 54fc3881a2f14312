// A file as a tile: a picture of its own kind, its name, who made it, its time. The
// place of the picture is kept from the start; what is in it is asked for when the
// tile comes into sight.

import { h, svg, replace, styles } from "../../lib/dom.js";
import { ask, blob } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, day, size, spans, time } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";

await styles(new URL("./tile.css", import.meta.url));

// marks are the drawings for the screens that show a kind of file.
const marks = { map: "map", replay: "run", mesh: "item", simutrans: "vehicle", folder: "folder", preview: "file", damage: "warning" };

// makeTiles has element and add(files). A file is {path, name, kind, size, changed};
// choose is called when its box is ticked.
export function makeTiles(signal, { choose, label = "Files" } = {}) {
  const element = h("ul", { class: "tiles", "aria-label": label });
  const waiting = new Map(); // tile -> its file
  const sight = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      sight.unobserve(target);
      fill(target, waiting.get(target), signal);
      waiting.delete(target);
    }
  }, { rootMargin: "300px" });
  signal.addEventListener("abort", () => sight.disconnect());
  return {
    element,
    add(files) {
      for (const file of files) {
        const tile = makeTile(file, choose);
        element.append(tile);
        if (!file.path) continue;
        if (file.kind === "folder") folder(tile);
        else {
          waiting.set(tile, file);
          sight.observe(tile);
        }
      }
    },
  };
}

function makeTile(file, choose) {
  const words = [h("div", { class: "tile-who" }, file.who || ""), h("div", { class: "tile-time" }, file.time || ""),
    h("div", { class: "tile-where second" }, file.where || (file.kind === "folder" ? "Folder" : size(file.size))), h("div", { class: "tile-when second" }, day(file.changed))];
  const body = [h("div", { class: "tile-stage" }, h("div", { class: "tile-name", title: file.name }, file.title || file.name)), h("div", { class: "tile-words" }, words)];
  return h("li", { class: "tile" },
    file.path ? h("a", { class: "tile-link", href: address.of(file.path) }, body) : h("div", { class: "tile-link" }, body),
    choose && file.kind !== "folder" && h("label", { class: "tile-choose" }, h("input", { type: "checkbox", "aria-label": "Choose " + file.name, onchange: (event) => choose(file, event.target.checked) })));
}

function stage(tile) {
  return tile.querySelector(".tile-stage");
}

function mark(tile, name) {
  stage(tile).append(h("span", { class: "tile-mark" }, icon(name, 16)));
}

// large puts a drawing where a picture would be.
function large(tile, name) {
  stage(tile).prepend(icon(name, 44));
}

function folder(tile) {
  large(tile, "folder");
}

// fill asks what a file is, and shows it.
async function fill(tile, file, signal) {
  const room = stage(tile);
  room.setAttribute("aria-busy", "true");
  try {
    const what = await ask("what", { path: file.path }, { signal });
    const screen = what.tabs?.[0]?.screen;
    say(tile, file, what, screen);
    if (screen !== "map") mark(tile, marks[screen === "folder" ? "" : screen] || "pack");
    await draw(tile, file, what, screen, signal);
  } catch (error) {
    if (signal.aborted) return;
    large(tile, "warning");
  } finally {
    room.setAttribute("aria-busy", "false");
  }
}

// say writes the words of a tile from the facts of its file.
function say(tile, file, { facts = {}, card = [], error, size: bytes }, screen) {
  const put = (part, ...content) => replace(tile.querySelector(part), ...content);
  const line = (name) => card.find((l) => l.name === name);
  const styled = (name, stage) => { const l = line(name); return l && (l.spans ? spans(l.spans, { stage }) : l.text); };
  const joined = (...parts) => parts.filter(Boolean).join(" · ");
  if (error) {
    put(".tile-who", h("span", { class: "bad" }, "Cannot be read whole"));
    put(".tile-where", size(file.size));
    return;
  }
  if (screen === "map") {
    put(".tile-name", styled("name", true) || file.name);
    put(".tile-who", styled("author_nick") || facts.author_login || "");
    const author = facts.medals?.author;
    put(".tile-time", author !== null && author !== undefined && [h("span", { class: "medal medal-author" }), h("span", { class: "unseen" }, "author's time "), time(author)]);
    put(".tile-where", joined(facts.collection_name, facts.mood));
  } else if (screen === "replay") {
    put(".tile-name", styled("map_name", true) || file.name);
    put(".tile-who", styled("nick") || facts.login || facts.ghosts?.[0]?.login || "");
    put(".tile-time", time(facts.time ?? facts.race_time));
    put(".tile-where", joined("Run", facts.collection_name ?? facts.collection, facts.game));
  } else if (screen === "mesh") {
    const called = facts.name && !/^new item$/i.test(facts.name);
    put(".tile-name", called ? styled("name", true) || facts.name : file.name);
    put(".tile-who", facts.author_login || "");
    put(".tile-time", facts.item_type || "");
    put(".tile-where", joined(facts.class_name === "CGameItemModel" ? "Item" : "", facts.collection_name, size(file.size)));
  } else {
    put(".tile-who", styled("nick") || facts.author_login || facts.author || "");
    put(".tile-time", facts.entries !== undefined && screen !== "preview" ? count(facts.entries, screen === "simutrans" ? "object" : "file") : "");
    put(".tile-where", joined(facts.class_name, size(file.size ?? bytes ?? facts.file_size)));
  }
}

// draw gives a tile its picture.
async function draw(tile, file, what, screen, signal) {
  const { path } = file, room = stage(tile);
  const show = async (name, parameters, type, look) => {
    const source = URL.createObjectURL(await blob(name, { path, ...parameters }, type, { signal }));
    room.prepend(h("img", { src: source, alt: "", class: look, onload: () => URL.revokeObjectURL(source) }));
  };
  if (what.error && !what.thumbnail) return large(tile, "warning");
  if (what.thumbnail) return show("thumbnail", {}, "image/png", screen === "mesh" ? "fit" : null);
  if (screen === "map") return show("map.picture", {}, "image/svg+xml");
  if (screen === "replay") return room.prepend(drivenLine((await ask("replay.telemetry", { path, ghost: "0" }, { signal })).lines[0]));
  if (screen === "simutrans") {
    const { objects } = await ask("simutrans.objects", { path }, { signal });
    if (!objects.length) return large(tile, "vehicle");
    return show("simutrans.picture", { object: objects[0].folder, scale: "1", columns: "4" }, "image/png", "pixels");
  }
  if (what.looks === "picture") return show("picture", {}, "image/png", "fit");
  if (what.looks === "text") {
    const { text } = await ask("text", { path }, { signal });
    return room.prepend(h("pre", { class: "tile-text", "aria-hidden": "true" }, text.slice(0, 1500)));
  }
  if (what.kind === "archive" && screen === "folder") {
    const { children, locked } = await ask("children", { path }, { signal });
    if (locked) return large(tile, "lock");
    const inside = children.find((c) => c.kind === "file" && /\.(png|jpe?g|webp|dds|tga)$/i.test(c.name) && !c.encrypted);
    if (inside) return show("picture", { path: path + "/" + inside.name }, "image/png");
    if (children.length) return room.prepend(treemap(children));
  }
  large(tile, marks[screen] || "file");
}

// drivenLine draws where a car drove, seen from above, coloured by speed.
function drivenLine(track) {
  const xs = track.x_m, zs = track.z_m;
  const step = Math.max(1, Math.floor(xs.length / 160)), width = 204, height = 153, edge = 18;
  const low = [Math.min(...xs), Math.min(...zs)], high = [Math.max(...xs), Math.max(...zs)];
  const by = Math.min((width - 2 * edge) / Math.max(1, high[0] - low[0]), (height - 2 * edge - 24) / Math.max(1, high[1] - low[1]));
  const fast = Math.max(1, ...(track.speed_m_s ?? [1]));
  const at = (i) => [(width - (high[0] - low[0]) * by) / 2 + (high[0] - xs[i]) * by, edge + (high[1] - zs[i]) * by];
  const parts = [];
  for (let i = 0; i + step < xs.length; i += step) {
    const [x1, y1] = at(i), [x2, y2] = at(i + step), speed = (track.speed_m_s?.[i] ?? 0) / fast;
    parts.push(svg("line", { x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1), class: "tile-line", style: { stroke: `var(--speed-${Math.min(3, Math.floor(speed * 4))})` } }));
  }
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMidYMid slice" }, parts);
}

// treemap draws what fills an archive: a cell for each of its files and folders, by
// stored size, coloured by ending.
function treemap(children) {
  const cells = children.map((c) => ({ name: c.name, n: Math.max(1, c.stored_size ?? c.size ?? 1) })).sort((a, b) => b.n - a.n).slice(0, 60);
  const drawn = [], kinds = [...new Set(cells.map((c) => c.name.split(".").at(-1).toLowerCase()))];
  // Each step cuts the list where both halves weigh about the same, along the longer side.
  (function cut(list, x, y, w, hh) {
    if (list.length === 1) {
      const kind = kinds.indexOf(list[0].name.split(".").at(-1).toLowerCase()) % 10;
      drawn.push(svg("rect", { x, y, width: w, height: hh, class: "tile-cell", style: { fill: `color-mix(in srgb, var(--series-${kind + 1}) 70%, var(--stage))` } }));
      return;
    }
    const all = list.reduce((sum, c) => sum + c.n, 0);
    let left = 0, k = 0;
    while (k < list.length - 1 && (k === 0 || left + list[k].n <= all / 2)) left += list[k++].n;
    const part = left / all;
    if (w > hh) { cut(list.slice(0, k), x, y, w * part, hh); cut(list.slice(k), x + w * part, y, w * (1 - part), hh); }
    else { cut(list.slice(0, k), x, y, w, hh * part); cut(list.slice(k), x, y + hh * part, w, hh * (1 - part)); }
  })(cells, 0, 0, 204, 153);
  return svg("svg", { viewBox: "0 0 204 153", preserveAspectRatio: "none" }, drawn);
}
