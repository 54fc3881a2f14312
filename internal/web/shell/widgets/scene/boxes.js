// Boxes by the thousand as one mesh. Drawing is slow where the processor does it,
// so that as little as possible is left to draw: no face that another box covers,
// no light to compute, and what lies high, which is mostly in front, first.
//
// A box is {at: [x, y, z], size: [x, y, z], turn: quaternion}.

// faces are the sides of a box: where each looks, and its corners in the order
// that three.js takes for the outside.
const faces = [
  [[1, 0, 0], [[1, -1, 1], [1, -1, -1], [1, 1, -1], [1, 1, 1]]],
  [[-1, 0, 0], [[-1, -1, -1], [-1, -1, 1], [-1, 1, 1], [-1, 1, -1]]],
  [[0, 1, 0], [[-1, 1, 1], [1, 1, 1], [1, 1, -1], [-1, 1, -1]]],
  [[0, -1, 0], [[-1, -1, -1], [1, -1, -1], [1, -1, 1], [-1, -1, 1]]],
  [[0, 0, 1], [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]],
  [[0, 0, -1], [[1, -1, -1], [-1, -1, -1], [-1, 1, -1], [1, 1, -1]]],
];

// The light that meshes have from the scene's lamps, for a face that looks a way:
// a sky above a brown ground, and a sun.
const sky = 1.9, sun = 1.5, sunAt = unit([0.4, 1, 0.25]), ground = [0.254, 0.195, 0.138];

function unit(v) {
  const length = Math.hypot(...v);
  return v.map((x) => x / length);
}

function light(normal) {
  const up = 0.5 + 0.5 * normal[1], direct = sun * Math.max(0, normal.reduce((sum, x, i) => sum + x * sunAt[i], 0));
  return ground.map((g) => (sky * (g + (1 - g) * up) + direct) / Math.PI);
}

// linear is a part of a colour as light is counted.
const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

// rotate turns a vector by a quaternion.
function rotate([x, y, z], [qx, qy, qz, qw]) {
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  return [x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx];
}

const straight = (b) => b.turn[0] === 0 && b.turn[1] === 0 && b.turn[2] === 0;
const key = (x, y, z) => `${Math.round(x * 64)},${Math.round(y * 64)},${Math.round(z * 64)}`;

// covering tells which faces of straight boxes lie on those of a box of the same
// size.
function covering(list) {
  const places = new Map();
  for (const b of list) if (straight(b)) places.set(key(...b.at), b);
  return (b, way) => {
    if (!straight(b)) return false;
    const beside = places.get(key(...b.at.map((v, i) => v + way[i] * b.size[i])));
    return beside !== undefined && beside.size.every((v, i) => Math.abs(v - b.size[i]) < 0.01);
  };
}

// shapeOf gives the corners of all faces that can be seen, four each; which box a
// face belongs to; and how light falls on it.
export function shapeOf(list) {
  const covered = covering(list);
  const order = list.map((_, i) => i).sort((i, j) => list[j].at[1] - list[i].at[1]);
  const corners = [], boxes = [], lights = [];
  for (const i of order) {
    const b = list[i];
    for (const [way, around] of faces) {
      if (covered(b, way)) continue;
      for (const corner of around) {
        const c = rotate(corner.map((v, k) => v * b.size[k] / 2), b.turn);
        corners.push(b.at[0] + c[0], b.at[1] + c[1], b.at[2] + c[2]);
      }
      boxes.push(i);
      lights.push(light(rotate(way, b.turn)));
    }
  }
  return { corners: new Float32Array(corners), boxes: new Uint32Array(boxes), lights };
}

// trianglesOf are the numbers of the corners of so many faces, two triangles each.
export function trianglesOf(n) {
  const out = new Uint32Array(n * 6);
  for (let i = 0; i < n; i++) out.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3], 6 * i);
  return out;
}

// coloursOf are those of the corners, of boxes that have such tints.
export function coloursOf({ boxes, lights }, tints) {
  const out = new Float32Array(boxes.length * 12);
  boxes.forEach((b, face) => {
    const c = lights[face].map((l, k) => l * linear(tints[b * 3 + k]));
    for (let corner = 0; corner < 4; corner++) out.set(c, face * 12 + corner * 3);
  });
  return out;
}
