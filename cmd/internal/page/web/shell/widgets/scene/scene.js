// A view in three dimensions: boxes by the thousand, lines, meshes. It draws only when
// something moves. If drawing is slow, without a graphics card, it draws coarsely during
// motions, and sharply after them.
//
//   const scene = await makeScene({ label });
//   await scene.boxes(name, list, colours: Float32Array(3 n)) // list as sceneOf has them
//   scene.line(name, points, colours); scene.mesh(name, glb, matrices); scene.look(min, max)

import { h, styles } from "../../lib/dom.js";
import { coloursOf, trianglesOf } from "./boxes.js";
import { build } from "./build.js";
import { flyByKeys } from "./fly.js";
import { modelOf } from "./model.js";
import { makeTags } from "./tags.js";
import { boundsOf, cornersOf, fill, goBehind } from "./view.js";
import { lightOf } from "../../lib/colours.js";

await styles(new URL("./scene.css", import.meta.url));

// tone is a colour of tokens.css for three.js.
const tone = (name) => new three.Color().setRGB(...lightOf("--space-" + name), three.SRGBColorSpace);

let three; // loaded when the first view opens: it is the largest script

const lateFrame = 80; // milliseconds

// bySoftware reports whether the processor draws instead of a graphics card.
function bySoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const about = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

export async function makeScene({ label, picked }) {
  three = three || (await import("../../vendor/three.js"));
  const canvas = h("canvas", { class: "scene-canvas", tabindex: "0", role: "img", "aria-label": label });
  const weak = bySoftware();
  const renderer = new three.WebGLRenderer({ canvas, antialias: !weak });
  const world = new three.Scene(),
    camera = new three.PerspectiveCamera(55, 1, 1, 60000);
  const tags = makeTags(three, camera),
    element = h("div", { class: "scene" }, canvas, tags.element);
  const controls = new three.OrbitControls(camera, canvas);
  controls.enableDamping = false;
  const sky = new three.HemisphereLight(tone("sky"), tone("earth"), 1.9),
    sun = new three.DirectionalLight(tone("sky"), 1.5);
  sun.position.set(0.55, 0.8, 0.35);
  world.add(sky, sun);
  const things = new Map(); // name -> object
  const pickable = [];
  let due = false,
    lost = false,
    frame = 0,
    asked = 0;
  let framed = null; // the objects that the view was last fitted to
  let cut = false; // boxes above a height are hidden
  let coarse = false,
    slow = weak,
    still = 0; // the timer that ends a motion

  world.background = new three.Color().setRGB(...lightOf("--stage"), three.SRGBColorSpace); // the stage is dark in both themes

  function draw() {
    if (due || lost) return;
    due = true;
    asked = performance.now();
    requestAnimationFrame(() => {
      due = false;
      if (lost) return;
      // If this frame is late, the frame before is still being drawn.
      if (frame > 2 && performance.now() - asked > lateFrame) slow = true;
      renderer.render(world, camera);
      tags.place();
      element.dataset.frames = ++frame;
      if (coarse) rest(performance.now() - asked);
    });
  }

  // move draws a frame of a motion.
  function move() {
    if (slow) {
      sharpen(false);
      rest(0);
    }
    draw();
  }

  // rest draws sharply after a pause. The pause is longer than a frame takes: otherwise a
  // slow machine would draw each step of a motion twice.
  function rest(took) {
    clearTimeout(still);
    still = setTimeout(() => sharpen(true), Math.max(250, 3 * took));
  }

  function sharpen(on) {
    if (lost || coarse === !on) return;
    coarse = !on;
    for (const { userData } of things.values()) choose(userData);
    fit();
  }

  // choose shows the rough shape of an object while the view moves, or until it has a fine
  // shape.
  function choose({ rough, fine }) {
    if (!rough || !fine) return;
    rough.visible = coarse && !cut;
    fine.visible = !rough.visible;
  }

  function fit() {
    const { clientWidth: width, clientHeight: height } = element;
    if (!width || !height) return;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2) / (coarse ? 2 : 1));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    if (frame) renderer.render(world, camera); // a new size clears the canvas, which must not be seen
    draw();
  }

  flyByKeys(three, canvas, camera, controls, () => {
    framed = null;
  });
  let down = null;
  canvas.addEventListener("pointerdown", (event) => {
    down = [event.clientX, event.clientY];
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
    const box = canvas.getBoundingClientRect();
    const ray = new three.Raycaster();
    ray.setFromCamera(
      new three.Vector2(
        ((event.clientX - box.left) / box.width) * 2 - 1,
        1 - ((event.clientY - box.top) / box.height) * 2,
      ),
      camera,
    );
    const [hit] = ray.intersectObjects(
      pickable.filter((o) => o.parent.visible),
      false,
    );
    const boxes = hit?.object.userData.shape?.boxes; // a mesh of boxes, or one with several instances
    picked?.(hit ? { name: hit.object.name, index: boxes ? boxes[hit.faceIndex >> 1] : hit.instanceId } : null);
  });

  controls.addEventListener("change", move);
  controls.addEventListener("start", () => {
    framed = null;
  });
  // A view that the user has not rotated keeps everything in sight when its size changes.
  new ResizeObserver(() => {
    const { aspect } = camera;
    fit();
    if (framed && Math.abs(camera.aspect - aspect) > 0.05) made.look(...framed);
  }).observe(element);

  function put(name, object) {
    remove(name);
    object.name = name;
    things.set(name, object);
    world.add(object);
    draw();
  }

  function remove(name) {
    const old = things.get(name);
    if (!old) return;
    world.remove(old);
    old.userData.gone = true;
    old.traverse((o) => {
      o.geometry?.dispose?.();
      o.material?.map?.dispose();
      o.material?.dispose?.();
      if (pickable.includes(o)) pickable.splice(pickable.indexOf(o), 1);
    });
    things.delete(name);
  }

  function meshOf(name, shape, opacity) {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(shape.corners, 3));
    geometry.setAttribute("color", new three.BufferAttribute(shape.colours, 3));
    geometry.setIndex(new three.BufferAttribute(trianglesOf(shape.boxes.length), 1));
    const mesh = new three.Mesh(
      geometry,
      new three.MeshBasicMaterial({ vertexColors: true, transparent: opacity < 1, opacity }),
    );
    mesh.userData.shape = shape;
    mesh.name = name;
    return mesh;
  }

  function paint(mesh, tints) {
    mesh.geometry.setAttribute("color", new three.BufferAttribute(coloursOf(mesh.userData.shape, tints), 3));
  }

  // cutOff hides the boxes above a height: boxes are in the order of their heights, the
  // highest first.
  function cutOff({ fine, list, height }) {
    if (!fine) return;
    const { boxes } = fine.userData.shape;
    let first = 0,
      end = boxes.length;
    while (first < end) {
      const middle = (first + end) >> 1;
      if (list.at[3 * boxes[middle] + 1] > height) first = middle + 1;
      else end = middle;
    }
    fine.geometry.setDrawRange(first * 6, Infinity);
  }

  draw();
  const made = {
    element,
    draw,
    // boxes draws boxes, each in its colour. Transparent boxes cannot be picked. It resolves
    // when a first shape, which may be rough, is drawn.
    async boxes(name, list, tints, { opacity = 1, pick = opacity === 1 } = {}) {
      const group = new three.Group();
      group.userData = { list, tints, height: Infinity };
      await build(list, tints, (shape, rough) => {
        if (lost || group.userData.gone) return;
        if (!things.has(name) || things.get(name) !== group) put(name, group);
        const mesh = meshOf(name, shape, rough ? 1 : opacity); // transparent boxes take longer to draw
        group.userData[rough ? "rough" : "fine"] = mesh;
        group.add(mesh);
        if (group.userData.tints !== tints) paint(mesh, group.userData.tints);
        if (!rough) cutOff(group.userData);
        choose(group.userData);
        if (pick && !rough) pickable.push(mesh);
        draw();
      });
    },
    tint(name, tints) {
      const of = things.get(name)?.userData;
      if (!of) return;
      of.tints = tints;
      for (const mesh of [of.fine, of.rough].filter(Boolean)) paint(mesh, tints);
      draw();
    },
    // line draws a line twice: solid, and faintly through objects in front of it.
    line(name, points, tints) {
      const geometry = new three.BufferGeometry();
      geometry.setAttribute("position", new three.BufferAttribute(points, 3));
      geometry.setAttribute("color", new three.BufferAttribute(tints, 3));
      const solid = new three.Line(geometry, new three.LineBasicMaterial({ vertexColors: true }));
      const faint = new three.Line(
        geometry,
        new three.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.35, depthTest: false }),
      );
      const group = new three.Group();
      group.add(solid, faint);
      put(name, group);
    },
    marker(name, colour, size) {
      const mesh = new three.Mesh(
        new three.SphereGeometry(size, 16, 12),
        new three.MeshLambertMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.4 }),
      );
      put(name, mesh);
      return (x, y, z) => {
        mesh.position.set(x, y, z);
        move();
      };
    },
    // mesh draws a glTF file, once for each matrix. pictures finds the picture of a
    // material, by its name and that of the game's material that it is based on.
    async mesh(name, data, matrices, pictures) {
      const group = await modelOf(three, data, { matrices, pictures, mipmaps: !weak });
      group.traverse((o) => {
        if (!o.isMesh) return;
        o.name = name;
        pickable.push(o);
      });
      put(name, group);
      return group;
    },
    // bounds are the corners of the box around an object, and points of its surface.
    bounds: (name) => boundsOf(three, things.get(name)),
    grid(size, step, y, [x, z]) {
      const grid = new three.GridHelper(size, Math.round(size / step), tone("grid"), tone("grid"));
      grid.position.set(x, y, z);
      grid.material.transparent = true;
      grid.material.opacity = 0.35;
      put("grid", grid);
    },
    // labels adds labels at positions: [{text, at, kind}].
    labels(list) {
      tags.set(list);
      draw();
    },
    // below shows boxes up to a height.
    below(height) {
      cut = height < Infinity;
      for (const { userData } of things.values()) {
        if (!userData.list) continue;
        userData.height = height;
        cutOff(userData);
        choose(userData);
      }
      draw();
    },
    // follow moves the camera behind a moving object, in its direction.
    follow(at, ahead, inside = false) {
      framed = null;
      goBehind(three, camera, controls, at, ahead, inside);
      camera.near = 0.5;
      camera.updateProjectionMatrix();
      controls.update();
    },
    // place is where the camera stands, and goTo moves it there.
    place: () => [camera.position.toArray(), controls.target.toArray(), camera.near, camera.far],
    goTo([position, target, near, far]) {
      framed = null;
      camera.position.fromArray(position);
      controls.target.fromArray(target);
      Object.assign(camera, { near, far });
      camera.updateProjectionMatrix();
      controls.update();
      fit();
    },
    // look moves the camera so that some points, or the corners of a box, fill the view
    // without being cut.
    look(min, max, { above = 0.7, points = cornersOf(min, max) } = {}) {
      framed = [min, max, { above, points }];
      fit(); // the proportions of the view are known from here on
      fill(three, camera, controls, { min, max, above, points });
      controls.update();
      fit();
    },
    show(name, on) {
      const o = things.get(name);
      if (o) {
        o.visible = on;
        draw();
      }
    },
    has: (name) => things.has(name),
    remove,
    destroy() {
      lost = true;
      clearTimeout(still);
      [...things.keys()].forEach(remove);
      controls.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
    },
  };
  return made;
}
