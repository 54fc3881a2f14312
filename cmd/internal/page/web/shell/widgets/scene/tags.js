// Labels at positions of a scene.

import { h } from "../../lib/dom.js";

// makeTags makes labels. place moves each to the pixel of its position. It hides a label
// behind the camera, and one that would cover an earlier one.
export function makeTags(three, camera) {
  const element = h("div", { class: "scene-tags", "aria-hidden": "true" });
  let tagged = [];

  function place() {
    const { clientWidth: width, clientHeight: height } = element.parentElement,
      taken = [];
    for (const { tag, at } of tagged) {
      const p = at.clone().project(camera),
        x = ((p.x + 1) / 2) * width,
        y = ((1 - p.y) / 2) * height;
      const outside = p.z > 1 || x < 0 || x > width || y < 0 || y > height;
      tag.hidden = outside || taken.some(([u, v]) => Math.abs(u - x) < 70 && Math.abs(v - y) < 18);
      if (tag.hidden) continue;
      taken.push([x, y]);
      tag.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -130%)`;
    }
  }

  return {
    element,
    place,
    // set replaces the labels: [{text, at, kind}].
    set(list) {
      tagged = list.map(({ text, at, kind }) => ({
        at: new three.Vector3(...at),
        tag: h("span", { class: "scene-tag scene-tag-" + kind }, text),
      }));
      element.replaceChildren(...tagged.map((t) => t.tag));
    },
  };
}
