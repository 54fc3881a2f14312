// Thousands of boxes as one mesh. Without a graphics card drawing is slow, so as little as
// possible is drawn: no face that another box covers, and no light that must be computed.
// High boxes are drawn first, because they are mostly in front. A worker does this, so that
// the page stays responsive.
//
// Boxes are columns: {n, at, size, turn}, with three, three and four numbers for each box.

// expanded are the columns of boxes that refer to lists of sizes and of turns.
export function expanded({ n, at, kind, sizes, turn, turns }) {
  const size = new Float32Array(3 * n),
    turned = new Float32Array(4 * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < 3; k++) size[3 * i + k] = sizes[3 * kind[i] + k];
    for (let k = 0; k < 4; k++) turned[4 * i + k] = turns[4 * turn[i] + k];
  }
  return { n, at, size, turn: turned };
}

// faces are the sides of a box: the direction of each, and its corners in the order
// that marks the outside in three.js.
const faces = [
  [
    [1, 0, 0],
    [
      [1, -1, 1],
      [1, -1, -1],
      [1, 1, -1],
      [1, 1, 1],
    ],
  ],
  [
    [-1, 0, 0],
    [
      [-1, -1, -1],
      [-1, -1, 1],
      [-1, 1, 1],
      [-1, 1, -1],
    ],
  ],
  [
    [0, 1, 0],
    [
      [-1, 1, 1],
      [1, 1, 1],
      [1, 1, -1],
      [-1, 1, -1],
    ],
  ],
  [
    [0, -1, 0],
    [
      [-1, -1, -1],
      [1, -1, -1],
      [1, -1, 1],
      [-1, -1, 1],
    ],
  ],
  [
    [0, 0, 1],
    [
      [-1, -1, 1],
      [1, -1, 1],
      [1, 1, 1],
      [-1, 1, 1],
    ],
  ],
  [
    [0, 0, -1],
    [
      [1, -1, -1],
      [-1, -1, -1],
      [-1, 1, -1],
      [1, 1, -1],
    ],
  ],
];

// The light of the scene's lamps on meshes, for a face in a direction: a sky above a brown
// ground, and a sun.
const sky = 1.9,
  sun = 1.5,
  sunAt = unit([0.55, 0.8, 0.35]),
  ground = [0.254, 0.195, 0.138];

function unit(v) {
  const length = Math.hypot(...v);
  return v.map((x) => x / length);
}

// linear converts a channel of a colour to linear light.
const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

// rotate rotates a vector by the quaternion of a box.
function rotate([x, y, z], turn, i) {
  const qx = turn[4 * i],
    qy = turn[4 * i + 1],
    qz = turn[4 * i + 2],
    qw = turn[4 * i + 3];
  if (qx === 0 && qy === 0 && qz === 0) return [x, y, z];
  const tx = 2 * (qy * z - qz * y),
    ty = 2 * (qz * x - qx * z),
    tz = 2 * (qx * y - qy * x);
  return [x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx];
}

const straight = ({ turn }, i) => turn[4 * i] === 0 && turn[4 * i + 1] === 0 && turn[4 * i + 2] === 0;
const near = (a, b) => Math.abs(a - b) < 0.016;

// covering lists the faces of straight boxes that touch those of a box of the same size.
// A table of numbers finds boxes by position.
function covering(b) {
  let bits = 4;
  while (1 << bits < b.n * 2) bits++;
  const mask = (1 << bits) - 1,
    table = new Int32Array(1 << bits).fill(-1);
  const slot = (x, y, z) => {
    // positions are multiples of cells: their bits are mixed, so that they spread
    let k =
      Math.imul(Math.round(x * 4), 73856093) ^
      Math.imul(Math.round(y * 4), 19349663) ^
      Math.imul(Math.round(z * 4), 83492791);
    k = Math.imul(k ^ (k >>> 15), 0x2c1b3c6d);
    return (k ^ (k >>> 12)) & mask;
  };
  for (let i = 0; i < b.n; i++) {
    if (!straight(b, i)) continue;
    let s = slot(b.at[3 * i], b.at[3 * i + 1], b.at[3 * i + 2]);
    while (table[s] >= 0) s = (s + 1) & mask;
    table[s] = i;
  }
  return (i, [wx, wy, wz]) => {
    const { at, size } = b,
      o = 3 * i;
    if (!straight(b, i)) return false;
    const x = at[o] + wx * size[o],
      y = at[o + 1] + wy * size[o + 1],
      z = at[o + 2] + wz * size[o + 2];
    for (let s = slot(x, y, z); table[s] >= 0; s = (s + 1) & mask) {
      const j = 3 * table[s];
      if (near(at[j], x) && near(at[j + 1], y) && near(at[j + 2], z))
        return near(size[j], size[o]) && near(size[j + 1], size[o + 1]) && near(size[j + 2], size[o + 2]);
    }
    return false;
  };
}

// shadows marks the boxes in the shadow of higher boxes: boxes between them and the sun,
// found with a grid of heights.
export function shadows(b) {
  const step = 16,
    low = [Infinity, Infinity],
    high = [-Infinity, -Infinity];
  for (let i = 0; i < b.n; i++)
    for (let k = 0; k < 2; k++) {
      low[k] = Math.min(low[k], b.at[3 * i + 2 * k]);
      high[k] = Math.max(high[k], b.at[3 * i + 2 * k]);
    }
  const wide = Math.min(2048, Math.ceil((high[0] - low[0]) / step) + 3),
    deep = Math.min(2048, Math.ceil((high[1] - low[1]) / step) + 3);
  const heights = new Float32Array(Math.max(1, wide * deep)).fill(-Infinity),
    cell = (v, k) => Math.floor((v - low[k]) / step) + 1;
  for (let i = 0; i < b.n; i++) {
    const at = 3 * i,
      half = [b.size[at] / 2 - 1, b.size[at + 2] / 2 - 1],
      top = b.at[at + 1] + b.size[at + 1] / 2;
    for (let x = cell(b.at[at] - half[0], 0); x <= cell(b.at[at] + half[0], 0); x++) {
      for (let z = cell(b.at[at + 2] - half[1], 1); z <= cell(b.at[at + 2] + half[1], 1); z++) {
        if (x >= 0 && x < wide && z >= 0 && z < deep) heights[z * wide + x] = Math.max(heights[z * wide + x], top);
      }
    }
  }
  const flat = Math.hypot(sunAt[0], sunAt[2]),
    out = new Uint8Array(b.n);
  for (let i = 0; i < b.n; i++) {
    const top = b.at[3 * i + 1] + b.size[3 * i + 1] / 2;
    for (let n = 1; n <= 8 && !out[i]; n++) {
      const x = cell(b.at[3 * i] + (sunAt[0] / flat) * step * n, 0),
        z = cell(b.at[3 * i + 2] + (sunAt[2] / flat) * step * n, 1);
      if (x >= 0 && x < wide && z >= 0 && z < deep && heights[z * wide + x] > top + (step * n * sunAt[1]) / flat + 1)
        out[i] = 1;
    }
  }
  return out;
}

// axesOf writes the half edges of a rotated box as three vectors.
function axesOf(b, i, axes) {
  const flat = straight(b, i);
  for (let k = 0; k < 3; k++) {
    const half = b.size[3 * i + k] / 2;
    axes[3 * k] = axes[3 * k + 1] = axes[3 * k + 2] = 0;
    if (flat) axes[4 * k] = half;
    else axes.set(rotate([k === 0 ? half : 0, k === 1 ? half : 0, k === 2 ? half : 0], b.turn, i), 3 * k);
  }
}

// shapeOf returns the corners of all visible faces, four for each face; the box of each
// face; and the light on it. dark marks the boxes in a shadow.
export function shapeOf(b, dark = shadows(b)) {
  const covered = covering(b),
    { at } = b,
    axes = new Float32Array(9);
  const order = new Uint32Array(b.n).map((_, i) => i).sort((i, j) => at[3 * j + 1] - at[3 * i + 1]);
  let corners = new Float32Array(b.n * 36),
    boxes = new Uint32Array(b.n * 3),
    lights = new Float32Array(b.n * 9),
    n = 0;
  for (let o = 0; o < order.length; o++) {
    const i = order[o];
    axesOf(b, i, axes);
    for (let f = 0; f < 6; f++) {
      const way = faces[f][0],
        around = faces[f][1];
      if (covered(i, way)) continue;
      if (n === boxes.length)
        [corners, boxes, lights] = [corners, boxes, lights].map((a) => {
          const more = new a.constructor(a.length * 2);
          more.set(a);
          return more;
        });
      for (let k = 0, to = n * 12; k < 4; k++, to += 3) {
        const x = around[k][0],
          y = around[k][1],
          z = around[k][2];
        for (let m = 0; m < 3; m++) corners[to + m] = at[3 * i + m] + x * axes[m] + y * axes[3 + m] + z * axes[6 + m];
      }
      // The face is normal to one of the box's axes, f >> 1, which is half an edge long.
      const axis = 3 * (f >> 1),
        by = (f & 1 ? -2 : 2) / (b.size[3 * i + (f >> 1)] || 1);
      const nx = axes[axis] * by,
        ny = axes[axis + 1] * by,
        nz = axes[axis + 2] * by,
        up = 0.5 + 0.5 * ny;
      const direct = dark[i] ? 0 : sun * Math.max(0, nx * sunAt[0] + ny * sunAt[1] + nz * sunAt[2]);
      for (let m = 0; m < 3; m++) lights[3 * n + m] = (sky * (ground[m] + (1 - ground[m]) * up) + direct) / Math.PI;
      boxes[n++] = i;
    }
  }
  return { corners: corners.slice(0, n * 12), boxes: boxes.slice(0, n), lights: lights.slice(0, n * 3) };
}

// mostRough is the maximum number of boxes that are drawn while the view moves.
const mostRough = 8000;

// roughOf is the shape that replaces all boxes while the view moves: the highest box of
// each cell. If these are too many, a cell is wider, and a plate fills it.
export function roughOf(b, dark) {
  let step = 32,
    chosen = highest(b, step);
  while (chosen.length > mostRough && step < 4096) chosen = highest(b, (step *= 2));
  const n = chosen.length,
    some = { n, at: new Float32Array(3 * n), size: new Float32Array(3 * n), turn: new Float32Array(4 * n) };
  chosen.forEach((i, k) => {
    for (let m = 0; m < 3; m++) {
      const plate = step > 32 && m !== 1,
        at = b.at[3 * i + m];
      some.at[3 * k + m] = plate ? (Math.floor(at / step) + 0.5) * step : at;
      some.size[3 * k + m] = plate ? step : b.size[3 * i + m];
    }
    some.turn.set(step > 32 ? [0, 0, 0, 1] : b.turn.subarray(4 * i, 4 * i + 4), 4 * k);
  });
  const shape = shapeOf(
    some,
    Uint8Array.from(chosen, (i) => dark[i]),
  );
  return { ...shape, boxes: shape.boxes.map((k) => chosen[k]) };
}

// highest lists the highest box of each cell.
function highest(b, step) {
  const best = new Map();
  for (let i = 0; i < b.n; i++) {
    const key = Math.floor(b.at[3 * i] / step) * 100003 + Math.floor(b.at[3 * i + 2] / step),
      other = best.get(key);
    if (other === undefined || b.at[3 * i + 1] > b.at[3 * other + 1]) best.set(key, i);
  }
  return [...best.values()];
}

// trianglesOf are the indices of the corners of this many faces, two triangles each.
export function trianglesOf(n) {
  const out = new Uint32Array(n * 6);
  for (let i = 0; i < n; i++) {
    const o = 6 * i,
      c = 4 * i;
    out[o] = c;
    out[o + 1] = c + 1;
    out[o + 2] = c + 2;
    out[o + 3] = c;
    out[o + 4] = c + 2;
    out[o + 5] = c + 3;
  }
  return out;
}

// coloursOf are the colours of the corners of boxes with these tints.
export function coloursOf({ boxes, lights }, tints) {
  const out = new Float32Array(boxes.length * 12),
    bright = tints.map(linear);
  for (let face = 0, to = 0; face < boxes.length; face++) {
    const of = 3 * boxes[face],
      r = lights[3 * face] * bright[of],
      g = lights[3 * face + 1] * bright[of + 1],
      blue = lights[3 * face + 2] * bright[of + 2];
    for (let corner = 0; corner < 4; corner++) {
      out[to++] = r;
      out[to++] = g;
      out[to++] = blue;
    }
  }
  return out;
}

// isometric draws boxes on a canvas, seen from above and one side: a picture of a map
// that the user cannot rotate.
export function isometric(context, width, height, b, tints, colours) {
  const right = (x, z) => (z - x) * 0.866,
    down = (x, y, z) => (x + z) * 0.42 * -1 - y * 0.9;
  const ends = (f) => {
    const list = Array.from({ length: b.n }, (_, i) => f(i)).sort((x, y) => x - y),
      cut = Math.floor(b.n / 200);
    return [list[cut], list[b.n - 1 - cut]];
  };
  const [x0, x1] = ends((i) => right(b.at[3 * i], b.at[3 * i + 2])),
    [y0, y1] = ends((i) => down(b.at[3 * i], b.at[3 * i + 1], b.at[3 * i + 2]));
  const by = Math.min(width / (x1 - x0 + 80), height / (y1 - y0 + 80)),
    mx = (x0 + x1) / 2,
    my = (y0 + y1) / 2;
  const at = (x, y, z) => [(right(x, z) - mx) * by + width / 2, (down(x, y, z) - my) * by + height / 2];
  const dark = shadows(b),
    order = Array.from({ length: b.n }, (_, i) => i).sort(
      (i, j) => b.at[3 * j] + b.at[3 * j + 2] - b.at[3 * i] - b.at[3 * i + 2] || b.at[3 * i + 1] - b.at[3 * j + 1],
    );
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, height);
  const fill = (i, light, corners) => {
    context.fillStyle = `rgb(${[0, 1, 2].map((k) => Math.round(255 * Math.min(1, tints[3 * i + k] * light))).join(" ")})`;
    context.beginPath();
    corners.forEach(([x, y, z], n) => {
      const p = at(x, y, z);
      if (n) context.lineTo(...p);
      else context.moveTo(...p);
    });
    context.fill();
  };
  for (const i of order) {
    const corner = (x, y, z) => {
      const c = rotate([(x * b.size[3 * i]) / 2, (y * b.size[3 * i + 1]) / 2, (z * b.size[3 * i + 2]) / 2], b.turn, i);
      return [0, 1, 2].map((m) => b.at[3 * i + m] + c[m]);
    };
    fill(i, 0.55, [corner(-1, -1, -1), corner(-1, -1, 1), corner(-1, 1, 1), corner(-1, 1, -1)]);
    fill(i, 0.75, [corner(-1, -1, -1), corner(1, -1, -1), corner(1, 1, -1), corner(-1, 1, -1)]);
    fill(i, dark[i] ? 0.8 : 1.15, [corner(-1, 1, -1), corner(-1, 1, 1), corner(1, 1, 1), corner(1, 1, -1)]);
  }
}
