// A map in three dimensions: the cells that blocks occupy as flat slabs, and the
// items that the file brings along with their own meshes. It is schematic, and
// says what it guesses.

import { h, replace, styles } from "../../lib/dom.js";
import { blob } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { makeScene } from "../../widgets/scene/scene.js";

await styles(new URL("./scene-screen.css", import.meta.url));

export const whole = true;

export async function show(page) {
  page.command("pakbox map mesh " + page.what.shell_path + " -o map.glb");
  const data = await page.ask("map.scene", { path: page.path });
  const about = h("div", { class: "scene-about", role: "region", "aria-label": "The chosen block" });
  const scene = await makeScene({ label: "The map in three dimensions", picked: (hit) => tell(about, data, hit) });
  page.signal.addEventListener("abort", () => scene.destroy());
  const colour = h("select", { "aria-label": "Colour by", onchange: () => { scene.tint("blocks", tints(data, colour.value)); address.change({ by: colour.value }, { quiet: true }); } },
    [["kind", "Colour by kind"], ["height", "Colour by height"], ["colour", "Colour as painted"]].map(([v, t]) => h("option", { value: v, selected: v === page.query.by }, t)));
  const toggles = [["blocks", "Blocks"], ["items", "Items"], ["waypoints", "Start, checkpoints, finish"]].map(([name, title]) => {
    const box = h("input", { type: "checkbox", checked: true, onchange: () => names(name, data).forEach((n) => scene.show(n, box.checked)) });
    return h("label", {}, box, title);
  });
  replace(page.target,
    h("div", { class: "bar scene-bar" }, colour, toggles, h("span", { class: "note" }, data.note)),
    h("div", { class: "scene-split" }, scene.element, about));
  const boxes = data.boxes;
  if (boxes.length) scene.boxes("blocks", matrices(boxes), tints(data, colour.value));
  if (data.waypoints.length) scene.boxes("waypoints", matrices(data.waypoints), waypointTints(data.waypoints), { opacity: 0.55 });
  if (data.items.length) scene.boxes("items", matrices(data.items), flat(data.items.length, [0.55, 0.45, 0.85]));
  scene.grid(data.grid.size, data.grid.step, data.grid.y, data.grid.centre);
  scene.look(data.min, data.max);
  tell(about, data, null);
  page.status(`${data.block_count} blocks, ${data.item_count} items`);
  await meshes(page, scene, data);
}

// meshes puts the embedded items' own shapes in place of their boxes.
async function meshes(page, scene, data) {
  for (const model of data.models) {
    if (page.signal.aborted) return;
    try {
      const glb = await (await blob("mesh", { path: page.path + "/" + model.path }, "model/gltf-binary", { signal: page.signal })).arrayBuffer();
      await scene.mesh("model " + model.path, glb, new Float32Array(model.matrices));
    } catch (error) {
      if (error.name === "AbortError") return;
      page.status(model.path + ": " + error.message);
    }
  }
}

function names(group, data) {
  return group === "items" ? ["items", ...data.models.map((m) => "model " + m.path)] : [group];
}

// matrices places the unit box of each: {at: [x, y, z], size: [x, y, z], turn: [quaternion] or absent}.
function matrices(list) {
  const out = new Float32Array(list.length * 16);
  list.forEach((b, i) => compose(out, i * 16, b.at, b.turn || [0, 0, 0, 1], b.size));
  return out;
}

// compose writes the matrix of a place, a turn and a size, column by column.
function compose(out, o, [x, y, z], [qx, qy, qz, qw], [sx, sy, sz]) {
  const xx = qx * 2 * qx, xy = qx * 2 * qy, xz = qx * 2 * qz, yy = qy * 2 * qy, yz = qy * 2 * qz, zz = qz * 2 * qz;
  const wx = qw * 2 * qx, wy = qw * 2 * qy, wz = qw * 2 * qz;
  out.set([(1 - (yy + zz)) * sx, (xy + wz) * sx, (xz - wy) * sx, 0, (xy - wz) * sy, (1 - (xx + zz)) * sy, (yz + wx) * sy, 0,
    (xz + wy) * sz, (yz - wx) * sz, (1 - (xx + yy)) * sz, 0, x, y, z, 1], o);
}

const painted = [null, [0.95, 0.95, 0.95], [0.2, 0.6, 0.25], [0.2, 0.4, 0.85], [0.85, 0.2, 0.2], [0.12, 0.12, 0.14]];
const kinds = {
  road: [0.42, 0.44, 0.48], dirt: [0.62, 0.44, 0.26], grass: [0.36, 0.6, 0.27], ice: [0.62, 0.83, 0.95], plastic: [0.95, 0.78, 0.2],
  water: [0.2, 0.45, 0.8], sand: [0.85, 0.74, 0.5], snow: [0.92, 0.95, 0.98], deco: [0.5, 0.5, 0.55], other: [0.6, 0.6, 0.62],
};

function tints(data, by) {
  const out = new Float32Array(data.boxes.length * 3);
  const span = Math.max(1, data.max[1] - data.min[1]);
  data.boxes.forEach((b, i) => {
    let c = kinds[b.kind] || kinds.other;
    if (by === "height") c = ramp((b.at[1] - data.min[1]) / span);
    else if (by === "colour") c = painted[b.color] || [0.7, 0.7, 0.7];
    out.set(c, i * 3);
  });
  return out;
}

function waypointTints(list) {
  const of = { Start: [0.15, 0.8, 0.3], Finish: [0.9, 0.15, 0.15], Checkpoint: [0.2, 0.5, 1], StartFinish: [0.95, 0.75, 0.1] };
  return new Float32Array(list.flatMap((w) => of[w.waypoint] || of.Checkpoint));
}

function flat(n, c) {
  return new Float32Array(Array.from({ length: n }, () => c).flat());
}

// ramp goes from blue over green to red, as maps of heights do.
export function ramp(t) {
  t = Math.max(0, Math.min(1, t));
  return [Math.min(1, Math.max(0, 2 * t - 0.6)), 0.35 + 0.5 * Math.sin(Math.PI * t), Math.max(0, 1 - 1.8 * t)];
}

function tell(about, data, hit) {
  const list = hit && { blocks: data.boxes, waypoints: data.waypoints, items: data.items }[hit.name];
  const thing = list?.[hit.index];
  if (!thing) {
    replace(about, h("p", { class: "note" }, "Click a block to see what it is. Drag to turn, wheel to go nearer, W A S D to fly."));
    return;
  }
  const rows = [["Name", thing.name], ["Kind", thing.kind], ["Waypoint", thing.waypoint], ["Cell", thing.cell?.join(", ")], ["Facing", thing.direction], ["Colour", thing.color], ["Size", thing.size.map((v) => Math.round(v * 10) / 10).join(" × ") + " m"]];
  replace(about, h("dl", { class: "facts" }, rows.filter(([, v]) => v !== undefined && v !== null && v !== "").map(([k, v]) => [h("dt", {}, k), h("dd", {}, v)])));
}
