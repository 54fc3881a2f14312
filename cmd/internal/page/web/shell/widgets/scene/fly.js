// Flying through a scene with the keys W, A, S, D, Q and E.

// flyByKeys moves the camera, and the point that it rotates around, while a key is down.
// begun is called when the first key goes down.
export function flyByKeys(three, canvas, camera, controls, begun) {
  const held = new Set();
  function fly() {
    if (!held.size) return;
    const ahead = new three.Vector3();
    camera.getWorldDirection(ahead);
    const side = new three.Vector3().crossVectors(ahead, camera.up).normalize();
    const step = Math.max(1, camera.position.distanceTo(controls.target) / 60);
    const by = new three.Vector3();
    if (held.has("w")) by.add(ahead);
    if (held.has("s")) by.sub(ahead);
    if (held.has("d")) by.add(side);
    if (held.has("a")) by.sub(side);
    if (held.has("e")) by.y += 1;
    if (held.has("q")) by.y -= 1;
    by.multiplyScalar(step);
    camera.position.add(by);
    controls.target.add(by);
    controls.update();
    requestAnimationFrame(fly);
  }
  canvas.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    if (!"wasdqe".includes(key) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const first = held.size === 0;
    begun();
    held.add(key);
    if (first) fly();
  });
  canvas.addEventListener("keyup", (event) => held.delete(event.key.toLowerCase()));
  canvas.addEventListener("blur", () => held.clear());
}
