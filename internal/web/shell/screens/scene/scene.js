// A map in three dimensions: the cells that blocks occupy as flat slabs, and the
// items that the file brings along with their own meshes. It is schematic, and
// says what it guesses.

import { h, replace, styles } from "../../lib/dom.js";
import { blob } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count } from "../../lib/format.js";
import { makeScene } from "../../widgets/scene/scene.js";
import { addMap, tints } from "../../widgets/scene/map.js";

await styles(new URL("./scene-screen.css", import.meta.url));

export const whole = true;

export async function show(page) {
  page.command("pakbox map blocks --json " + page.what.shell_path);
  const data = await page.ask("map.scene", { path: page.path });
  const about = h("div", { class: "scene-about", role: "region", "aria-label": "The chosen block", tabindex: "0" });
  let all;
  const scene = await makeScene({ label: "The map in three dimensions", picked: (hit) => tell(page, about, hit && all[hit.name]?.[hit.index]) });
  page.signal.addEventListener("abort", () => scene.destroy());
  const colour = h("select", { "aria-label": "Colour by", onchange: () => { scene.tint("blocks", tints(all.blocks, data, colour.value)); address.change({ by: colour.value }, { quiet: true }); } },
    [["surface", "Colour by surface"], ["height", "Colour by height"], ["colour", "Colour as painted"]].map(([v, t]) => h("option", { value: v, selected: v === page.query.by }, t)));
  const toggles = [["blocks", "Blocks"], ["items", "Items"], ["waypoints", "Start, checkpoints, finish"]].map(([name, title]) => {
    const box = h("input", { type: "checkbox", checked: true, onchange: () => names(name, data).forEach((n) => scene.show(n, box.checked)) });
    return h("label", {}, box, title);
  });
  replace(page.target,
    h("div", { class: "bar scene-bar" }, colour, toggles, h("span", { class: "note" }, data.note)),
    h("div", { class: "scene-split" }, scene.element, about));
  all = addMap(scene, data, colour.value);
  scene.look(data.min, data.max);
  tell(page, about, null);
  page.status(told(data));
  await meshes(page, scene, data);
}

// told counts what is drawn; a block may take several boxes.
function told(data) {
  return `${count(new Set(data.boxes.map((b) => b.index)).size, "block")}, ${count(data.items.length, "item")}`;
}

// meshes puts the embedded items' own shapes in the scene.
async function meshes(page, scene, data) {
  for (const [i, model] of data.models.entries()) {
    if (page.signal.aborted) return;
    page.status(`mesh ${i + 1} of ${data.models.length}`);
    try {
      const glb = await (await blob("mesh", { path: page.path + "/" + model.path }, "model/gltf-binary", { signal: page.signal })).arrayBuffer();
      await scene.mesh("model " + model.path, glb, new Float32Array((model.matrices || []).flat()));
    } catch (error) {
      if (error.name === "AbortError") return;
      console.debug(model.path, error.message); // it has no mesh, or one that cannot be read: nothing is drawn
    }
  }
  if (data.models.length) page.status(`${told(data)}, ${count(data.models.length, "mesh", "meshes")}`);
}

function names(group, data) {
  return group === "items" ? ["items", ...data.models.map((m) => "model " + m.path)] : [group];
}

function tell(page, about, thing) {
  if (!thing) {
    replace(about, h("p", { class: "note" }, "Click a block to see what it is. Drag to turn, wheel to go nearer, W A S D to fly."));
    return;
  }
  const facing = ["north", "east", "south", "west"][thing.direction];
  const rows = [["Name", thing.name], ["Number", thing.index], ["Made of", thing.surface], ["Is", thing.waypoint], ["Cell", thing.cell?.join(", ")], ["Facing", facing],
    ["Middle", thing.at.map((v) => v.toFixed(1)).join(", ") + " m"]];
  replace(about, h("dl", { class: "facts" }, rows.filter(([, v]) => v !== undefined && v !== null && v !== "").map(([k, v]) => [h("dt", {}, k), h("dd", {}, v)])),
    h("p", {}, h("a", { href: address.of(page.path, { tab: "blocks", q: thing.name }) }, "In the table")));
}
