// Where the camera of a scene stands.

// cornersOf are the corners of a box, three numbers each.
export function cornersOf(min, max) {
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [
    i & 1 ? max[0] : min[0],
    i & 2 ? max[1] : min[1],
    i & 4 ? max[2] : min[2],
  ]);
}

// boundsOf are the corners of the box around an object, and points of its surface, which
// fill the box less than its corners.
export function boundsOf(three, object) {
  const box = new three.Box3().setFromObject(object),
    points = [],
    at = new three.Vector3(),
    turned = new three.Matrix4();
  object.traverse((o) => {
    const places = o.isMesh && o.geometry.getAttribute("position");
    if (!places) return;
    o.getMatrixAt?.(0, turned);
    for (let i = 0, step = Math.max(1, Math.floor(places.count / 2000)); i < places.count; i += step)
      points.push(...at.fromBufferAttribute(places, i).applyMatrix4(turned).toArray());
  });
  return { min: box.min.toArray(), max: box.max.toArray(), points };
}

// goBehind moves the camera behind a moving object, in its direction, or to its driver.
export function goBehind(three, camera, controls, at, ahead, inside) {
  const way = new three.Vector3(ahead[0] - at[0], 0, ahead[2] - at[2]);
  if (way.lengthSq() < 0.01) camera.getWorldDirection(way).setY(0);
  way.normalize();
  if (inside) {
    camera.position.set(at[0] + way.x, at[1] + 1.4, at[2] + way.z);
    controls.target.set(at[0] + way.x * 20, ahead[1] + 0.5, at[2] + way.z * 20);
  } else {
    controls.target.set(at[0], at[1] + 1, at[2]);
    camera.position.set(at[0] - way.x * 14, at[1] + 6, at[2] - way.z * 14);
  }
}

// fill moves the camera so that some points of the box from min to max fill the view
// without being cut.
export function fill(three, camera, controls, { min, max, above, points }) {
  const middle = new three.Vector3(...min.map((v, i) => (v + max[i]) / 2)),
    seen = new three.Vector3();
  const radius = Math.max(0.01, Math.hypot(...max.map((v, i) => v - min[i])) / 2);
  const from = new three.Vector3(0.9, above * 1.4, 1.3).normalize();
  const side = new three.Vector3().crossVectors(camera.up, from).normalize(),
    top = new three.Vector3().crossVectors(from, side);
  // The edges of the view, with a margin, have this slope. For each edge, the first point
  // that touches it determines the position of the camera.
  const high = Math.tan((camera.fov * Math.PI) / 360) / 1.1,
    wide = high * camera.aspect,
    reach = [-Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 3) {
    seen.set(points[i], points[i + 1], points[i + 2]).sub(middle);
    const x = seen.dot(side),
      y = seen.dot(top),
      near = seen.dot(from);
    [x + near * wide, near * wide - x, y + near * high, near * high - y].forEach((v, k) => {
      reach[k] = Math.max(reach[k], v);
    });
  }
  const [right, left, up, down] = reach,
    away = Math.max(radius * 0.2, (right + left) / 2 / wide, (up + down) / 2 / high);
  middle.addScaledVector(side, (right - left) / 2).addScaledVector(top, (up - down) / 2);
  camera.position.copy(middle).addScaledVector(from, away);
  camera.near = radius / 200;
  camera.far = radius * 50;
  camera.updateProjectionMatrix();
  controls.target.copy(middle);
}
