// An item, a block or a mesh: its shape, its facts and its icon.

import { h, replace, styles } from "../../lib/dom.js";
import { blob } from "../../lib/api.js";
import { makeCard } from "../../widgets/card/card.js";
import { changes } from "../change/change.js";
import { makeScene } from "../../widgets/scene/scene.js";

await styles(new URL("./mesh.css", import.meta.url));

export async function show(page) {
  page.command(page.what.command);
  const list = h("div", {}), icon = h("div", {}), view = h("div", { class: "mesh-view" });
  replace(page.target, h("div", { class: "split picture-first" }, h("div", {}, icon, makeCard(page.what.card), changes(page), list), view));
  if (page.what.thumbnail) {
    const source = URL.createObjectURL(await blob("thumbnail", { path: page.path }, "image/png", { signal: page.signal }));
    replace(icon, h("img", { class: "mesh-icon", src: source, alt: "Icon", onload: () => URL.revokeObjectURL(source) }));
  }
  if (!page.what.mesh) {
    replace(view, h("p", { class: "note" }, "The file has no shape of its own."));
    return;
  }
  const answer = await page.ask("mesh", { path: page.path, lods: "true", collision: "true" });
  replace(list, h("h2", {}, "Meshes"), h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, ["Name", "Role", "Level", "Triangles", "Materials"].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", {}, answer.meshes.slice(0, 200).map((m) => h("tr", {}, h("td", {}, m.name), h("td", {}, m.role), h("td", { class: "number" }, m.level), h("td", { class: "number" }, m.triangles), h("td", {}, m.materials.join(", ")))))),
  answer.outside.length > 0 && h("p", { class: "note" }, "In other files: " + answer.outside.join(", ")));
  if (!answer.triangle_count) {
    replace(view, h("p", { class: "note" }, "The file stores no triangles."));
    return;
  }
  const scene = await makeScene({ label: "The shape in three dimensions" });
  page.signal.addEventListener("abort", () => scene.destroy());
  const drawn = async (collision, level) => {
    const data = await (await blob("mesh.file", { path: page.path, collision: collision ? "true" : "", level }, "model/gltf-binary", { signal: page.signal })).arrayBuffer();
    await scene.mesh("shape", data, null);
  };
  const levels = [...new Set(answer.meshes.map((m) => m.level))].sort((x, y) => x - y);
  const collision = h("input", { type: "checkbox", onchange: () => drawn(collision.checked, level.value) });
  const level = h("select", { "aria-label": "Level of detail", onchange: () => drawn(collision.checked, level.value) }, levels.map((l) => h("option", { value: l }, "Level " + l)));
  replace(view, h("div", { class: "bar" }, h("label", {}, collision, "Collision"), levels.length > 1 && level), h("div", { class: "mesh-scene" }, scene.element));
  await drawn(false, levels[0]);
  const { min, max } = scene.bounds("shape");
  const size = Math.max(...max.map((v, i) => v - min[i])) * 3 || 10;
  scene.grid(size, size / 12, min[1], [(min[0] + max[0]) / 2, (min[2] + max[2]) / 2]);
  scene.look(min, max);
  page.status(`${page.what.facts.triangle_count} triangles`);
}
