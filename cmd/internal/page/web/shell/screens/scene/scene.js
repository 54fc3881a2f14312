// A map in three dimensions: the cells that blocks occupy as flat slabs, and embedded
// items with their own meshes. It is schematic, and marks guesses.

import { h, replace, styles } from "../../lib/dom.js";
import { blob, saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, shell } from "../../lib/format.js";
import { makeScene } from "../../widgets/scene/scene.js";
import { sceneOf } from "../../widgets/scene/build.js";
import { addMap, addChosen, groups, thing, tints } from "../../widgets/scene/map.js";

await styles(new URL("./scene-screen.css", import.meta.url));

export const whole = true;

export async function show(page) {
  const { game } = page.query;
  page.command(
    ["pakbox map mesh", page.what.shell_path, ...(game ? ["--game", shell(game)] : []), "-o map.glb"].join(" "),
  );
  const asked = sceneOf(page, page.path),
    made = makeScene({ label: "The map in three dimensions", picked: (hit) => choose(hit && thingOf(hit)) });
  const data = await asked,
    scene = await made;
  const about = h("div", { class: "scene-about", role: "region", "aria-label": "The chosen block", tabindex: "0" });
  const all = groups(data);
  // thingOf is the block or item under the pointer: a box, or the mesh of an item.
  function thingOf({ name, index }) {
    if (all[name]) return thing(all[name], index);
    const item = data.models.find((m) => "model " + m.path === name)?.items[index];
    return thing(data.items, data.items.index.indexOf(item));
  }
  function choose(chosen) {
    scene.remove("chosen");
    if (chosen) addChosen(scene, chosen);
    scene.draw();
    describe(page, about, chosen);
  }
  page.signal.addEventListener("abort", () => {
    page.memory.camera = scene.place();
    scene.destroy();
  });
  const colour = h(
    "select",
    {
      "aria-label": "Colour by",
      onchange: () => {
        scene.tint("blocks", tints(all.blocks, data, colour.value));
        address.change({ by: colour.value }, { quiet: true });
      },
    },
    [
      ["surface", "Colour by surface"],
      ["name", "Colour by kind of block"],
      ["height", "Colour by height"],
      ["colour", "Colour as painted"],
    ].map(([v, t]) => h("option", { value: v, selected: v === page.query.by }, t)),
  );
  const toggles = [
    ["blocks", "Blocks"],
    ["items", "Items"],
    ["waypoints", "Start, checkpoints, finish"],
  ].map(([name, title]) => {
    const box = h("input", {
      type: "checkbox",
      checked: true,
      onchange: () => names(name, data).forEach((n) => scene.show(n, box.checked)),
    });
    return h("label", {}, box, title);
  });
  // up hides the parts of the map above a height.
  const up = h("input", {
    type: "range",
    min: Math.floor(data.min[1]),
    max: Math.ceil(data.max[1]),
    step: 4,
    value: Math.ceil(data.max[1]),
    "aria-label": "Show up to a height",
    oninput: () => {
      scene.below(Number(up.value) >= data.max[1] ? Infinity : Number(up.value) + 0.01);
      page.status(Number(up.value) >= data.max[1] ? drawnCount(data) : `up to ${up.value} m`);
    },
  });
  const fit = h("button", { type: "button", onclick: () => scene.look(...around(data)) }, "Fit");
  page.actions(
    saveLink(
      "Save as glTF",
      "map.mesh",
      { path: page.path, game },
      page.path.split("/").at(-1).split(".")[0] + ".glb",
      "button",
    ),
  );
  replace(
    page.target,
    h("h1", { class: "unseen" }, page.what.title + " in three dimensions"),
    h(
      "div",
      { class: "scene-split" },
      h(
        "div",
        { class: "scene-stage" },
        scene.element,
        h("div", { class: "scene-bar" }, fit, colour, toggles, h("label", {}, "Height", up)),
      ),
      h(
        "div",
        { class: "scene-side" },
        about,
        h("p", { class: "note" }, data.note, undrawn(data)),
        !page.what.dropped && gameBox(page),
      ),
    ),
  );
  if (page.memory.camera) scene.goTo(page.memory.camera);
  else scene.look(...around(data));
  await addMap(scene, data, colour.value, all);
  describe(page, about, null);
  page.status(drawnCount(data));
  if (game && (await shapes(page, scene, data)))
    [colour, ...toggles].forEach((e) => {
      e.hidden = true;
    }); // colours are for boxes only
  else if (game) page.target.querySelector(".scene-game input").setAttribute("aria-invalid", "true");
  else await meshes(page, scene, data);
}

// gameBox asks for the folder of a game, whose files have the true shapes of blocks.
function gameBox(page) {
  const box = h("input", {
    type: "text",
    value: page.query.game || "",
    placeholder: "Folder with the game's files",
    "aria-label": "Game folder",
    size: 22,
  });
  return h(
    "form",
    {
      class: "scene-game",
      "aria-label": "Game folder",
      title: "The folder of a ManiaPlanet game: blocks and items get the shapes that its files and packs have",
      onsubmit: (event) => {
        event.preventDefault();
        address.change({ game: box.value.trim().replace(/\/+$/, "") });
      },
    },
    h("label", {}, "Game folder", box),
    h("button", {}, "Use"),
  );
}

// shapes adds the map with the shapes of a game to the scene, and reports whether
// that succeeded.
async function shapes(page, scene, data) {
  page.status("reading the game");
  try {
    const glb = await (
      await blob("map.mesh", { path: page.path, game: page.query.game }, "model/gltf-binary", { signal: page.signal })
    ).arrayBuffer();
    await scene.mesh("shapes", glb);
    ["blocks", "items", "waypoints"].forEach((name) => scene.show(name, false));
    replace(
      page.target.querySelector(".scene-about"),
      h(
        "p",
        { class: "note" },
        "Drag to rotate, wheel to zoom, W A S D to fly. Without a game folder, click a block for its details.",
      ),
    );
    page.status(drawnCount(data) + ", with the shapes of " + page.query.game);
    return true;
  } catch (error) {
    if (error.name !== "AbortError") page.status(error.message);
    return false;
  }
}

// around is the range that the view must contain: the track, and nearby scenery unless it
// is much larger. For a large map it uses a sample of a few thousand boxes.
function around({ boxes, min, max }) {
  const lo = [...min],
    hi = [...max],
    points = [],
    step = Math.ceil(boxes.n / 3000);
  for (const k of [0, 1, 2]) {
    const ends = boxes.at.filter((_, i) => i % 3 === k).sort(),
      far = Math.floor(ends.length / 100),
      span = Math.max(64, max[k] - min[k]);
    if (!ends.length) continue;
    const half = boxes.sizes[3 * boxes.kind[0] + k] / 2;
    lo[k] = Math.max(Math.min(min[k], ends[far]), min[k] - span) - half;
    hi[k] = Math.min(Math.max(max[k], ends.at(-1 - far)), max[k] + span) + half;
  }
  for (let i = 0; i < boxes.n; i += step) {
    const at = boxes.at.subarray(3 * i, 3 * i + 3);
    if (at.every((v, k) => v >= lo[k] && v <= hi[k])) points.push(...at);
  }
  return [lo, hi, { above: 1, ...(points.length > 6 && { points }) }];
}

// undrawn lists the blocks that are not drawn, with the reason.
function undrawn({ left, blocks }) {
  return (
    left.length > 0 &&
    ` Not drawn, of ${count(blocks, "block")}: ${left.map((l) => `${l.blocks.toLocaleString("en")} (${l.why})`).join(", ")}.`
  );
}

// drawnCount counts the drawn blocks and items; a block may have several boxes.
function drawnCount(data) {
  return `${count(new Set(data.boxes.index).size, "block")}, ${count(data.items.n, "item")}`;
}

// meshes adds the embedded items' own shapes to the scene.
async function meshes(page, scene, data) {
  for (const [i, model] of data.models.entries()) {
    if (page.signal.aborted) return;
    page.status(`mesh ${i + 1} of ${data.models.length}`);
    try {
      const glb = await (
        await blob("mesh.file", { path: page.path + "/" + model.path }, "model/gltf-binary", { signal: page.signal })
      ).arrayBuffer();
      await scene.mesh("model " + model.path, glb, new Float32Array((model.matrices || []).flat()));
    } catch (error) {
      if (error.name === "AbortError") return;
      console.debug(model.path, error.message); // the item has no mesh, or a damaged one: nothing is drawn
    }
  }
  if (data.models.length) page.status(`${drawnCount(data)}, ${count(data.models.length, "mesh", "meshes")}`);
}

function names(group, data) {
  if (group === "blocks") return ["blocks", "ground", "water"];
  return group === "items" ? ["items", ...data.models.map((m) => "model " + m.path)] : [group];
}

let turn = 0; // only the last chosen block is described, whichever answer arrives last

// describe describes a block or item, as map blocks lists it.
async function describe(page, about, thing) {
  const mine = ++turn;
  if (!thing) {
    replace(
      about,
      h(
        "p",
        {},
        h("b", {}, "Click a block to see what it is."),
        h("span", { class: "note" }, " Drag to turn, wheel to go nearer, W A S D to fly, as if you were there."),
      ),
    );
    return;
  }
  const listed = await page
    .ask("map.blocks", { path: page.path, index: String(thing.index), items: thing.item ? "true" : "" })
    .then((answer) => answer.blocks[0])
    .catch((error) => ({ name: thing.name, error: error.message }));
  if (mine !== turn || page.signal.aborted) return;
  const facing = ["north", "east", "south", "west"][listed.direction];
  const number = (v) => Number(v.toFixed(2)).toString();
  const rows = [
    ["Name", listed.name],
    [thing.item ? "Item" : "Block", thing.index],
    ["Made of", thing.surface],
    [
      "Role",
      [listed.waypoint || thing.waypoint, listed.ghost && "ghost", listed.ground && "on the ground"]
        .filter(Boolean)
        .join(", "),
    ],
    ["Cell", listed.coord?.join(", ")],
    ["Facing", facing],
    ["Position", listed.position && listed.position.map(number).join(", ") + " m"],
    ["Turned", listed.yaw_pitch_roll && listed.yaw_pitch_roll.map((v) => number((v * 180) / Math.PI) + "°").join(", ")],
    ["Colour", listed.color && painted[listed.color]],
    ["Skin", listed.skin],
    ["Flags", listed.flags],
    ["Middle", thing.at.map(number).join(", ") + " m"],
    ["Problem", listed.error],
  ];
  replace(
    about,
    h(
      "dl",
      { class: "facts" },
      rows
        .filter(([, v]) => v !== undefined && v !== null && v !== "")
        .map(([k, v]) => [h("dt", {}, k), h("dd", {}, v)]),
    ),
    h(
      "p",
      {},
      h("a", { href: address.of(page.path, { tab: "blocks", q: thing.name }) }, "In the table"),
      !thing.item && [" · ", h("a", { href: address.view("catalogue", { q: thing.name }) }, "In the catalogue")],
    ),
  );
}

const painted = ["not painted", "white", "green", "blue", "red", "black"];
