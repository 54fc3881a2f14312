// A map in a scene: the cells that blocks occupy as flat slabs, start, checkpoints and
// finish, and items. One screen shows it with driven lines, another without.

import { lightOf } from "../../lib/colours.js";

// named are colours of tokens.css whose names begin with a word.
const named = (word, names) => Object.fromEntries(names.map((n) => [n, lightOf(`--${word}-${n}`)]));

const surfaces = named("surface", ["road", "dirt", "grass", "ice", "plastic", "water", "sand", "snow", "deco"]);
const ways = named("way", ["start", "finish", "checkpoint", "lap"]);
const painted = ["none", "white", "green", "blue", "red", "black"].map((n) => lightOf("--painted-" + n));
const heights = [0, 1, 2, 3].map((n) => lightOf("--height-" + n));
const [item, chosen, shade] = ["item", "chosen", "shade"].map((n) => lightOf("--space-" + n));

const surfaceColour = (name) => surfaces[name] || surfaces.road;
const wayColour = (name) => ways[name] || ways.checkpoint;

// only are the boxes of some lists that pass a test of a box's kind and number.
export function only(lists, test) {
  const taken = lists.map((list) => {
    const rows = [];
    for (let i = 0; i < list.n; i++) if (test(list.kinds[list.kind[i]], list.index[i])) rows.push(i);
    return rows;
  });
  const n = taken.reduce((sum, rows) => sum + rows.length, 0),
    { kinds, sizes, turns } = lists[0];
  const out = {
    n,
    kinds,
    sizes,
    turns,
    kind: new Uint32Array(n),
    index: new Uint32Array(n),
    turn: new Uint32Array(n),
    at: new Float32Array(3 * n),
  };
  let to = 0;
  lists.forEach((list, k) =>
    taken[k].forEach((i) => {
      for (const column of ["kind", "index", "turn"]) out[column][to] = list[column][i];
      for (let m = 0; m < 3; m++) out.at[3 * to + m] = list.at[3 * i + m];
      to++;
    }),
  );
  return out;
}

// thing is one box of a list, with a description.
export function thing(list, i) {
  return {
    ...list.kinds[list.kind[i]],
    index: list.index[i],
    at: [...list.at.subarray(3 * i, 3 * i + 3)],
    turn: [...list.turns.subarray(4 * list.turn[i], 4 * list.turn[i] + 4)],
  };
}

// things are all boxes of a list, with descriptions.
export const things = (list) => Array.from({ length: list.n }, (_, i) => thing(list, i));

// groups sorts the objects of a map into groups that are drawn together. The meshes of
// items replace their boxes.
export function groups(data) {
  const shaped = new Set(data.models.flatMap((m) => m.items || [])),
    { boxes, items } = data;
  return {
    blocks: only([boxes], (k) => !k.waypoint && k.surface !== "water" && !k.ground),
    ground: only([boxes], (k) => !k.waypoint && k.surface !== "water" && k.ground),
    water: only([boxes], (k) => !k.waypoint && k.surface === "water"),
    waypoints: only([boxes, items], (k) => k.waypoint),
    items: only([items], (k, index) => !k.waypoint && !shaped.has(index)),
  };
}

// addMap adds a map to a scene, and returns its objects. It resolves when a first shape of
// everything is drawn; finer shapes follow.
export async function addMap(scene, data, by, all = groups(data)) {
  const shown = [];
  const put = (name, how, options) => {
    if (all[name].n) shown.push(scene.boxes(name, all[name], tints(all[name], data, how), options));
  };
  put("waypoints", "waypoint");
  put("water", "surface", { opacity: 0.55 });
  put("items", "item");
  put("blocks", by);
  put("ground", "ground", { opacity: 0.6, pick: true });
  scene.grid(data.grid.size, data.grid.step, data.grid.y, data.grid.centre);
  scene.labels(wayLabels(things(all.waypoints)));
  await Promise.all(shown);
  return all;
}

// wayLabels are labels above start, checkpoints and finish, one for each block.
function wayLabels(waypoints) {
  const seen = new Set(),
    titles = { start: "Start", finish: "Finish", lap: "Start and finish", checkpoint: "Checkpoint" };
  let checkpoints = 0;
  const order = { start: 0, lap: 0, finish: 1 };
  return waypoints
    .filter((w) => !seen.has(w.index) && seen.add(w.index))
    .sort((a, b) => (order[a.waypoint] ?? 2) - (order[b.waypoint] ?? 2))
    .slice(0, 60)
    .map((w) => ({
      text: w.waypoint === "checkpoint" ? `CP ${++checkpoints}` : titles[w.waypoint] || w.waypoint,
      at: [w.at[0], w.at[1] + 4, w.at[2]],
      kind: w.waypoint,
    }));
}

// addChosen draws a box around the chosen object.
export function addChosen(scene, thing) {
  const around = {
    n: 1,
    at: new Float32Array(thing.at),
    kind: new Uint32Array(1),
    sizes: new Float32Array(thing.size.map((v) => v * 1.04 + 0.6)),
    turn: new Uint32Array(1),
    turns: new Float32Array(thing.turn),
  };
  scene.boxes("chosen", around, new Float32Array(chosen), { opacity: 0.45 });
}

// hue is a colour for a name, always the same one.
function hue(name) {
  let n = 0;
  for (let i = 0; i < name.length; i++) n = (n * 31 + name.charCodeAt(i)) % 3600;
  const turn = (by) => 0.55 + 0.33 * Math.cos(2 * Math.PI * (n / 360 - by));
  return [turn(0), turn(1 / 3), turn(2 / 3)];
}

// tints are the colours of boxes by surface, name, height or paint.
export function tints(list, data, by) {
  const out = new Float32Array(list.n * 3),
    span = Math.max(1, data.max[1] - data.min[1]),
    low = data.min[1];
  const same = list.kinds.map((k) => tintOf(k, by)); // null if the colour depends on the height
  for (let i = 0; i < list.n; i++) {
    const kind = list.kind[i],
      c = same[kind] || tintAt(list.kinds[kind], by, (list.at[3 * i + 1] - low) / span);
    for (let m = 0; m < 3; m++) out[3 * i + m] = c[m];
  }
  return out;
}

// quiet reports whether a kind is drawn as ground.
const quiet = (kind, by) => kind.ground && (by === "plan" || by === "ground");

// tintOf is the colour of all boxes of a kind, null if it depends on the height.
function tintOf(kind, by) {
  if (quiet(kind, by) || by === "height" || by === "plan") return null;
  if (by === "name") return hue(kind.name);
  if (by === "colour") return painted[kind.color] || painted[0];
  if (by === "item") return item;
  return by === "waypoint" ? wayColour(kind.waypoint) : surfaceColour(kind.surface);
}

// tintAt is the colour of a box at a height, from 0 to 1.
function tintAt(kind, by, height) {
  if (quiet(kind, by)) return surfaceColour(kind.surface).map((v, k) => v * 0.25 + shade[k] + 0.1 * height);
  return heightColour(height);
}

// pictureTints are the colours of the picture of a map: by height, with own colours for
// start, checkpoints and finish.
export function pictureTints(list, data) {
  const out = tints(list, data, "plan");
  for (let i = 0; i < list.n; i++) {
    const { waypoint } = list.kinds[list.kind[i]];
    if (waypoint) out.set(wayColour(waypoint), i * 3);
  }
  return out;
}

// heightColour goes from blue over green to yellow, as in the plan of a map.
function heightColour(t) {
  const at = Math.max(0, Math.min(0.999, t)) * 3,
    i = Math.floor(at);
  return [0, 1, 2].map((k) => heights[i][k] + (heights[i + 1][k] - heights[i][k]) * (at - i));
}
