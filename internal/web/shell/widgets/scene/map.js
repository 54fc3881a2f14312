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
    blocks: data.boxes.filter((b) => !b.waypoint && b.surface !== "water"),
    water: data.boxes.filter((b) => !b.waypoint && b.surface === "water"),
    waypoints: data.boxes.concat(data.items).filter((b) => b.waypoint),
    items: plain,
  };
}

// addMap puts a map into a scene, and returns what was put there.
export function addMap(scene, data, by) {
  const all = groups(data);
  if (all.blocks.length) scene.boxes("blocks", all.blocks, tints(all.blocks, data, by));
  if (all.water.length) scene.boxes("water", all.water, tints(all.water, data, "surface"), { opacity: 0.55 });
  if (all.waypoints.length) scene.boxes("waypoints", all.waypoints, new Float32Array(all.waypoints.flatMap((w) => wayColour(w.waypoint))));
  if (all.items.length) scene.boxes("items", all.items, tints(all.items, data, "item"));
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
    if (by === "height") c = ramp((b.at[1] - data.min[1]) / span);
    else if (by === "name") c = hue(b.name);
    else if (by === "colour") c = painted[b.color] || painted[0];
    else if (by === "item") c = [0.55, 0.45, 0.85];
    out.set(c, i * 3);
  });
  return out;
}

// ramp goes from blue over green to red, as maps of heights do.
export function ramp(t) {
  t = Math.max(0, Math.min(1, t));
  return [Math.min(1, Math.max(0, 2 * t - 0.6)), 0.35 + 0.5 * Math.sin(Math.PI * t), Math.max(0, 1 - 1.8 * t)];
}
