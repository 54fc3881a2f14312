// A file as a tile: a picture of its own kind, its name, its author, its time. The
// place for the picture exists from the start; its content is requested when the tile
// scrolls into view.

import { h, svg, replace, styles } from "../../lib/dom.js";
import { ask } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, day, filesIn, size, spans, time } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";
import { moveByKeys } from "./move.js";

await styles(new URL("./tile.css", import.meta.url));

// marks are the icons for the screens of each kind of file.
const marks = {
  map: "map",
  replay: "run",
  mesh: "item",
  simutrans: "vehicle",
  folder: "folder",
  preview: "file",
  damage: "warning",
};

// makeTiles has element and add(files). A file is {path, name, kind, size, changed}.
// choose is called when its box is ticked, and chosen has the paths that are ticked from the
// start; get returns tiles that the caller knows already. Arrow keys move from tile to tile.
export function makeTiles(signal, { choose, chosen = new Set(), get = tileOf, label = "Files" } = {}) {
  const element = h("ul", { class: "tiles", "aria-label": label });
  moveByKeys(element);
  const waiting = new Map(); // tile -> its file
  const sight = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (!isIntersecting) continue;
        sight.unobserve(target);
        fill(target, waiting.get(target), signal, get);
        waiting.delete(target);
      }
    },
    { rootMargin: "160px" },
  );
  signal.addEventListener("abort", () => sight.disconnect());
  return {
    element,
    add(files) {
      for (const file of files) {
        const tile = makeTile(file, choose, chosen.has(file.path));
        element.append(tile);
        if (!file.path) continue;
        waiting.set(tile, file);
        sight.observe(tile);
      }
    },
  };
}

function makeTile(file, choose, chosen) {
  const words = [
    h("div", { class: "tile-who" }, file.who || ""),
    h("div", { class: "tile-time" }, file.time || ""),
    h("div", { class: "tile-where second" }, file.where || (file.kind === "folder" ? "Folder" : size(file.size))),
    h("div", { class: "tile-when second" }, day(file.changed)),
  ];
  const body = [
    h("div", { class: "tile-stage" }, h("div", { class: "tile-name", title: file.name }, file.title || file.name)),
    h("div", { class: "tile-words" }, words),
  ];
  return h(
    "li",
    { class: "tile" },
    file.path
      ? h("a", { class: "tile-link", href: address.of(file.path) }, body)
      : h("div", { class: "tile-link" }, body),
    choose &&
      file.kind !== "folder" &&
      h(
        "label",
        { class: "tile-choose" },
        h("input", {
          type: "checkbox",
          tabindex: "-1", // Space on the tile does the same
          checked: chosen,
          "aria-label": "Choose " + file.name,
          onchange: (event) => choose(file, event.target.checked),
        }),
      ),
  );
}

function stage(tile) {
  return tile.querySelector(".tile-stage");
}

function mark(tile, name) {
  stage(tile).append(h("span", { class: "tile-mark" }, icon(name, 16)));
}

// large draws an icon in place of a picture.
function large(room, name, size = 44) {
  room.prepend(icon(name, size));
}

// Tiles are requested together, a few in each question.
const together = 8;
let queue = [],
  asking = 0;

// tileOf asks for the content of the tile of a file.
export function tileOf(path, signal) {
  return new Promise((resolve, reject) => {
    queue.push({ path, signal, resolve, reject });
    if (queue.length === 1) setTimeout(send, 20);
  });
}

async function send() {
  queue = queue.filter((q) => !q.signal.aborted);
  if (!queue.length || asking >= 3) return;
  const some = queue.splice(0, together);
  if (queue.length) setTimeout(send);
  asking++;
  try {
    const { tiles } = await ask("tiles", { path: some.map((q) => q.path) }, { signal: some[0].signal });
    some.forEach((q, i) => (tiles[i].error ? q.reject(tiles[i].error) : q.resolve(tiles[i])));
  } catch (error) {
    some.forEach((q) => q.reject(error));
  }
  asking--;
  if (queue.length) send();
}

// pictureOf is the picture of a file's tile, or null.
export async function pictureOf(path, signal) {
  const { picture } = await tileOf(path, signal);
  return picture ? imageOf(picture) : null;
}

function imageOf({ data, type }, look) {
  const source = URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type }));
  const image = h("img", {
    src: source,
    alt: "",
    class: look,
    onload: () => {
      URL.revokeObjectURL(source);
      if (image.naturalWidth < 120 && !look) image.className = "pixels"; // a small picture is not enlarged
    },
  });
  return image;
}

// fill asks for the kind of a file, and shows it.
async function fill(tile, file, signal, get) {
  const room = stage(tile);
  room.setAttribute("aria-busy", "true");
  try {
    if (file.kind === "folder") await mosaic(tile, file, signal);
    else {
      const got = await get(file.path, signal),
        { what } = got,
        screen = what.tabs?.[0]?.screen;
      say(tile, file, got);
      if (screen !== "map") mark(tile, what.error ? "warning" : marks[screen === "folder" ? "" : screen] || "pack");
      await draw(room, file, got, signal);
    }
  } catch (error) {
    if (signal.aborted) return;
    large(room, "warning");
  } finally {
    room.setAttribute("aria-busy", "false");
  }
}

// mosaic draws four of the files in a folder.
async function mosaic(tile, file, signal) {
  const room = stage(tile),
    { children } = await ask("children", { path: file.path }, { signal });
  const files = children.filter((c) => c.kind !== "folder");
  replace(tile.querySelector(".tile-where"), filesIn(children));
  mark(tile, "folder");
  const step = Math.max(1, Math.floor(files.length / 4)),
    some = [0, 1, 2, 3].map((i) => files[i * step]).filter(Boolean);
  if (!some.length) return large(room, "folder");
  const cells = some.map(() => h("div", { class: "tile-cell-of" }));
  room.prepend(h("div", { class: "tile-mosaic" }, cells));
  await Promise.all(
    some.map(async (c, i) => {
      const one = { ...c, path: file.path + "/" + c.name, little: true };
      await draw(cells[i], one, await tileOf(one.path, signal), signal).catch(() => large(cells[i], "file", 24));
    }),
  );
}

const kindWords = {
  map: "Map",
  replay: "Run",
  simutrans: "Simutrans",
  mesh: "Item",
  folder: "Pack",
  collection: "Index",
};

// wordsOf are the words about a file, on the stage or on paper: its name, kind, author,
// time or number, and environment.
export function wordsOf(file, { what, facts: own, objects }, stage = false) {
  const facts = { ...what.facts, ...own },
    card = what.card || [],
    screen = what.tabs?.[0]?.screen,
    bytes = size(file.size ?? what.size ?? facts.file_size);
  const line = (name) => card.find((l) => l.name === name);
  const styled = (name, onStage = false) => {
    const l = line(name);
    return l && (l.spans ? spans(l.spans, { stage: onStage }) : l.text);
  };
  const joined = (...parts) => parts.filter(Boolean).join(" · ");
  if (what.error)
    return {
      name: styled("name", stage) || file.name,
      kind: "Damaged",
      who: styled("author_nick") || h("span", { class: "bad" }, "Damaged"),
      time: "",
      where: bytes,
      damaged: true,
    };
  if (screen === "map") {
    const author = facts.medals?.author;
    return {
      name: styled("name", stage) || file.name,
      kind: "Map",
      who: styled("author_nick") || facts.author_login || "",
      where: joined(facts.collection_name, facts.mood),
      ms: author,
      time:
        author !== null && author !== undefined && author >= 0
          ? [h("span", { class: "medal medal-author" }), h("span", { class: "unseen" }, "author's time "), time(author)]
          : "",
    };
  }
  if (screen === "replay") {
    const driven = facts.time ?? facts.race_time;
    return {
      name: styled("map_name", stage) || file.name,
      kind: "Run",
      who: styled("nick") || facts.login || facts.ghosts?.[0]?.login || "",
      time: driven > 0 ? time(driven) : "",
      ms: driven,
      where: joined("Run", facts.collection_name ?? facts.collection, facts.game),
    };
  }
  if (screen === "simutrans") {
    const years =
      own?.intro && `${own.intro.slice(0, 4)}–${own.retire && own.retire < "2900" ? own.retire.slice(0, 4) : ""}`;
    return {
      name: own?.name || file.name,
      kind: "Simutrans",
      who: [own?.obj || own?.type, own?.waytype].filter(Boolean).join(", ").replaceAll("_", " "),
      time: /^(999|65535) /.test(own?.topspeed) ? "" : own?.topspeed || (objects > 1 ? count(objects, "object") : ""),
      where: joined(years, bytes),
    };
  }
  if (screen === "mesh") {
    const called = facts.name && !/^new item$/i.test(facts.name),
      isItem = facts.class_name === "CGameItemModel";
    return {
      name: called ? styled("name", stage) || facts.name : file.name,
      kind: isItem ? "Item" : facts.class_name || "GBX",
      who: facts.author_login || "",
      time: facts.item_type || "",
      where: joined(isItem ? "Item" : facts.class_name, facts.collection_name, bytes),
    };
  }
  const isPack = screen !== "preview" && facts.entries !== undefined;
  return {
    name: file.name,
    kind: isPack
      ? "Pack"
      : what.looks
        ? what.looks[0].toUpperCase() + what.looks.slice(1)
        : kindWords[screen] || "File",
    who: styled("nick") || facts.author_login || facts.author || "",
    time: isPack ? count(facts.entries, "file") : "",
    where: joined(facts.class_name, bytes),
  };
}

// say writes the words of a tile.
function say(tile, file, got) {
  const words = wordsOf(file, got, true),
    put = (part, content) => replace(tile.querySelector(part), content);
  put(".tile-name", words.name);
  put(".tile-who", words.who);
  put(".tile-time", words.time);
  put(".tile-where", words.where);
}

// draw draws the picture of a file.
export async function draw(room, file, { what, picture, line, cells }, signal) {
  const { path } = file,
    screen = what.tabs?.[0]?.screen;
  if (picture) {
    return room.prepend(
      imageOf(
        picture,
        screen === "simutrans"
          ? "pixels"
          : screen === "mesh" ||
              (picture.type === "image/png" && (what.looks !== "picture" || !/\.jpe?g$/i.test(file.name)))
            ? "fit"
            : null,
      ),
    );
  }
  if (line) return room.prepend(drivenLine(line));
  if (what.error) return large(room, "warning");
  if (what.looks === "text") {
    const { text } = await ask("text", { path }, { signal });
    return room.prepend(h("pre", { class: "tile-text", "aria-hidden": "true" }, text.slice(0, 1500)));
  }
  if (what.looks === "sound") return large(room, "sound");
  if (cells?.length) return room.prepend(treemap(cells));
  if (what.kind === "archive" && screen === "folder") return large(room, cells ? "pack" : "lock"); // an empty archive has no lock
  if (what.card?.length && !file.little) return room.prepend(cardOf(what));
  large(room, marks[screen] || "file");
}

// cardOf is a card with the facts of a file without a picture.
function cardOf({ card, facts }) {
  return h(
    "dl",
    { class: "tile-card", "aria-hidden": "true" },
    facts?.class_name &&
      facts.class_name !== "CGameCtnReplayRecord" && [h("dt", {}, "Class"), h("dd", {}, facts.class_name)],
    card
      .filter((l) => !l.storage && l.text)
      .slice(0, 6)
      .map((l) => [h("dt", {}, l.label), h("dd", {}, l.text)]),
  );
}

// drivenLine draws the path of a car, seen from above, coloured by speed.
function drivenLine(points) {
  const width = 204,
    height = 153,
    edge = 18,
    xs = points.map((p) => p[0]),
    zs = points.map((p) => p[1]);
  const low = [Math.min(...xs), Math.min(...zs)],
    high = [Math.max(...xs), Math.max(...zs)];
  const by = Math.min(
    (width - 2 * edge) / Math.max(1, high[0] - low[0]),
    (height - 2 * edge - 24) / Math.max(1, high[1] - low[1]),
  );
  const fast = Math.max(1, ...points.map((p) => p[2]));
  const left = (width - (high[0] - low[0]) * by) / 2,
    top = edge + (height - 2 * edge - 24 - (high[1] - low[1]) * by) / 2;
  const at = ([x, z]) => [left + (high[0] - x) * by, top + (high[1] - z) * by].map((v) => v.toFixed(1));
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMidYMid slice" },
    points.slice(1).map((p, i) => {
      const [x1, y1] = at(points[i]),
        [x2, y2] = at(p);
      return svg("line", {
        x1,
        y1,
        x2,
        y2,
        class: "tile-line",
        style: { stroke: `var(--speed-${Math.min(3, Math.floor((p[2] / fast) * 4))})` },
      });
    }),
  );
}

// treemap draws the content of an archive: a cell for each of its files and folders, by
// stored size, coloured by extension.
function treemap(list) {
  const cells = list.map((c) => ({ name: c.name, n: c.size }));
  const drawn = [],
    names = [],
    kinds = [...new Set(cells.map((c) => c.name.split(".").at(-1).toLowerCase()))];
  // Each step cuts the list into halves of about the same weight, along the longer side.
  (function cut(list, x, y, w, hh) {
    if (list.length === 1) {
      const kind = kinds.indexOf(list[0].name.split(".").at(-1).toLowerCase()) % 10;
      if (w > 34 && hh > 14)
        names.push(
          svg("text", { x: x + 4, y: y + 10, class: "tile-cell-name" }, list[0].name.slice(0, Math.floor(w / 5))),
        );
      drawn.push(
        svg("rect", {
          x,
          y,
          width: w,
          height: hh,
          class: "tile-cell",
          style: { fill: `color-mix(in srgb, var(--series-${kind + 1}) 70%, var(--stage))` },
        }),
      );
      return;
    }
    const all = list.reduce((sum, c) => sum + c.n, 0);
    let left = 0,
      k = 0;
    while (k < list.length - 1 && (k === 0 || left + list[k].n <= all / 2)) left += list[k++].n;
    const part = left / all;
    if (w > hh) {
      cut(list.slice(0, k), x, y, w * part, hh);
      cut(list.slice(k), x + w * part, y, w * (1 - part), hh);
    } else {
      cut(list.slice(0, k), x, y, w, hh * part);
      cut(list.slice(k), x, y + hh * part, w, hh * (1 - part));
    }
  })(cells, 0, 0, 204, 153);
  return svg("svg", { viewBox: "0 0 204 153", preserveAspectRatio: "none" }, drawn, names);
}
