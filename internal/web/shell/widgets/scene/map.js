// A map in a scene: the cells that blocks occupy as flat slabs, start,
// checkpoints and finish, and items. Two screens show it, with and without a
// line.

const surfaces = {
  road: [0.42, 0.44, 0.48], dirt: [0.62, 0.44, 0.26], grass: [0.36, 0.6, 0.27], ice: [0.62, 0.83, 0.95], plastic: [0.95, 0.78, 0.2],
  water: [0.2, 0.45, 0.8], sand: [0.85, 0.74, 0.5], snow: [0.92, 0.95, 0.98], deco: [0.5, 0.5, 0.55],
};
const ways = { start: [0.15, 0.8, 0.3], finish: [0.9, 0.15, 0.15], checkpoint: [0.2, 0.5, 1], lap: [0.95, 0.75, 0.1] };
// What the player painted: default, white, green, blue, red, black.
const painted = [[0.7, 0.7, 0.7], [0.95, 0.95, 0.95], [0.2, 0.6, 0.25], [0.2, 0.4, 0.85], [0.85, 0.2, 0.2], [0.12, 0.12, 0.14]];

export const surfaceColour = (name) => surfaces[name] || surfaces.road;
export const wayColour = (name) => ways[name] || ways.checkpoint;

// groups sorts what is on a map into what is drawn together. Items that have a
// mesh of their own are drawn by that.
export function groups(data) {
  const shaped = new Set(data.models.flatMap((m) => m.items || []));
  const plain = data.items.filter((b) => !b.waypoint && !shaped.has(b.index));
  return {
    blocks: data.boxes.filter((b) => !b.waypoint && b.surface !== "water" && !b.ground),
    ground: data.boxes.filter((b) => !b.waypoint && b.surface !== "water" && b.ground),
    water: data.boxes.filter((b) => !b.waypoint && b.surface === "water"),
    waypoints: data.boxes.concat(data.items).filter((b) => b.waypoint),
    items: plain,
  };
}

// addMap puts a map into a scene, and returns what was put there.
export async function addMap(scene, data, by) {
  const all = groups(data);
  if (all.blocks.length) await scene.boxes("blocks", all.blocks, tints(all.blocks, data, by));
  if (all.ground.length) await scene.boxes("ground", all.ground, tints(all.ground, data, "ground"), { opacity: 0.6, pick: true });
  if (all.water.length) await scene.boxes("water", all.water, tints(all.water, data, "surface"), { opacity: 0.55 });
  if (all.waypoints.length) await scene.boxes("waypoints", all.waypoints, new Float32Array(all.waypoints.flatMap((w) => wayColour(w.waypoint))));
  if (all.items.length) await scene.boxes("items", all.items, tints(all.items, data, "item"));
  scene.grid(data.grid.size, data.grid.step, data.grid.y, data.grid.centre);
  scene.labels(wayLabels(all.waypoints));
  return all;
}

// wayLabels are words above start, checkpoints and finish, once for each block.
function wayLabels(waypoints) {
  const seen = new Set(), titles = { start: "Start", finish: "Finish", lap: "Start and finish", checkpoint: "Checkpoint" };
  let checkpoints = 0;
  const order = { start: 0, lap: 0, finish: 1 };
  return waypoints.filter((w) => !seen.has(w.index) && seen.add(w.index)).sort((a, b) => (order[a.waypoint] ?? 2) - (order[b.waypoint] ?? 2)).slice(0, 60)
    .map((w) => ({ text: w.waypoint === "checkpoint" ? `CP ${++checkpoints}` : titles[w.waypoint] || w.waypoint, at: [w.at[0], w.at[1] + 4, w.at[2]], kind: w.waypoint }));
}

// addChosen puts a box around what somebody chose.
export function addChosen(scene, thing) {
  const around = { ...thing, size: thing.size.map((v) => v * 1.04 + 0.6) };
  scene.boxes("chosen", [around], new Float32Array([1, 0.5, 0.05]), { opacity: 0.45 });
}

// hue is a colour for a name, the same each time.
function hue(name) {
  let n = 0;
  for (let i = 0; i < name.length; i++) n = (n * 31 + name.charCodeAt(i)) % 3600;
  const turn = (by) => 0.55 + 0.33 * Math.cos(2 * Math.PI * (n / 360 - by));
  return [turn(0), turn(1 / 3), turn(2 / 3)];
}

// tints are the colours of boxes by surface, name, height, or as they were
// painted.
export function tints(list, data, by) {
  const out = new Float32Array(list.length * 3);
  const span = Math.max(1, data.max[1] - data.min[1]);
  list.forEach((b, i) => {
    let c = surfaceColour(b.surface);
    if (b.ground && (by === "plan" || by === "ground")) c = c.map((v, k) => v * 0.25 + [0.1, 0.12, 0.14][k] + 0.1 * (b.at[1] - data.min[1]) / span);
    else    if (by === "height") c = ramp((b.at[1] - data.min[1]) / span);
    else if (by === "plan") c = planColour((b.at[1] - data.min[1]) / span);
    else if (by === "name") c = hue(b.name);
    else if (by === "colour") c = painted[b.color] || painted[0];
    else if (by === "item") c = [0.55, 0.45, 0.85];
    out.set(c, i * 3);
  });
  return out;
}

// surfaceTints are the colours of the picture of a map: by height, with start,
// checkpoints and finish in their own.
export function surfaceTints(list, data) {
  const out = tints(list, data, "plan");
  list.forEach((b, i) => { if (b.waypoint) out.set(wayColour(b.waypoint), i * 3); });
  return out;
}

// plan goes from blue over green to yellow, as the plan of a map does.
function planColour(t) {
  const stops = [[0.23, 0.37, 0.7], [0.13, 0.6, 0.53], [0.45, 0.76, 0.36], [0.96, 0.85, 0.3]], at = Math.max(0, Math.min(0.999, t)) * 3, i = Math.floor(at);
  return [0, 1, 2].map((k) => stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (at - i));
}

// ramp goes from blue over green to red, as maps of heights do.
export function ramp(t) {
  t = Math.max(0, Math.min(1, t));
  return [Math.min(1, Math.max(0, 2 * t - 0.6)), 0.35 + 0.5 * Math.sin(Math.PI * t), Math.max(0, 1 - 1.8 * t)];
}
