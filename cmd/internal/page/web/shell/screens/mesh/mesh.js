// An item, a block, a macroblock or a mesh: its shape, facts and icon, its materials and
// pictures, and its blocks.

import { h, replace, styles } from "../../lib/dom.js";
import { blob, saveLink } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { count, spans } from "../../lib/format.js";
import { icon } from "../../lib/icons.js";
import { makeCard } from "../../widgets/card/card.js";
import { changeMenu } from "../../widgets/change/change.js";
import { pictureOf } from "../../widgets/scene/build.js";
import { makeScene } from "../../widgets/scene/scene.js";

await styles(new URL("./mesh.css", import.meta.url));

export async function show(page) {
  const { path, what } = page,
    { facts } = what,
    file = path.split("/").at(-1);
  page.command(what.command);
  const line = what.card.find((l) => l.name === "name"),
    named = facts.name && !/^new item$/i.test(facts.name);
  const image = h("img", { alt: "Icon", hidden: true }),
    made = h("div", { class: "mesh-made" }),
    stage = h("div", { class: "mesh-stage" }, h("p", {}, "…"));
  const kind = [facts.item_type, facts.collection_name].filter(Boolean).join(" · ");
  page.actions(
    facts.vertex_count > 0 && saveLink("Save mesh", "mesh.file", { path }, file.split(".")[0] + ".glb", "button"),
    changeMenu(page),
  );
  replace(
    page.target,
    h(
      "div",
      { class: "with-aside" },
      h("div", {}, stage),
      h(
        "div",
        {},
        h(
          "header",
          { class: "sheet mesh-who" },
          image,
          h(
            "div",
            {},
            h("h1", {}, named && line?.spans ? spans(line.spans) : named ? facts.name : file),
            h("p", { class: "note" }, [facts.author_nick || facts.author_login, kind].filter(Boolean).join(", ")),
          ),
        ),
        made,
        h("section", { class: "sheet", "aria-label": "Facts" }, makeCard(what.card, { without: ["name", "nodes"] })),
      ),
    ),
  );
  let iconData = null;
  if (what.thumbnail) {
    iconData = await blob("thumbnail", { path }, "image/png", { signal: page.signal }).catch(() => null);
    if (iconData) {
      image.src = URL.createObjectURL(iconData);
      image.hidden = false;
    }
  }
  // alone replaces the shape of a file without one.
  const alone = (words) =>
    replace(
      stage,
      iconData ? h("img", { class: "small", src: URL.createObjectURL(iconData), alt: "Icon" }) : h("p", {}, words),
    );
  if (what.macroblock) return showMacroblock(page, stage, made, what.macroblock);
  const answer = what.mesh && (await page.ask("mesh", { path, lods: "true", collision: "true" }));
  const pictures = await picturesOf(page, answer ? answer.meshes : []),
    textures = picturesSheet(pictures);
  if (!what.mesh) {
    replace(made, textures);
    return alone("The file has no shape of its own.");
  }
  replace(
    made,
    sheet("Materials", materialRows(answer.meshes)),
    textures,
    sheet(
      "Meshes",
      answer.meshes
        .slice(0, 200)
        .map((m) =>
          h(
            "li",
            {},
            h(
              "span",
              {},
              m.name || "unnamed",
              h("span", { class: "note" }, ` ${m.role}${m.level ? ", level " + m.level : ""}`),
            ),
            h("span", { class: "note" }, count(m.triangles, "triangle")),
          ),
        ),
    ),
    answer.outside.length > 0 &&
      sheet(
        "In other files",
        answer.outside.map((name) => h("li", {}, icon("file", 16), h("span", { class: "mono" }, name))),
      ),
  );
  const drawn = answer.meshes.filter((m) => m.role === "drawn" && !m.level).reduce((sum, m) => sum + m.triangles, 0);
  page.status(`${drawn} triangles`);
  if (!answer.triangle_count) return alone("The file stores no triangles.");
  await showShape(page, stage, answer, pictures);
}

function sheet(title, rows) {
  return (
    rows.length > 0 &&
    h(
      "section",
      { class: "sheet", "aria-label": title },
      h("h2", {}, title, h("span", { class: "aside-note" }, rows.length.toLocaleString("en"))),
      h("ul", { class: "mesh-rows", tabindex: "0", "aria-label": title }, rows),
    )
  );
}

// materialRows are the materials, with how many meshes use each.
function materialRows(meshes) {
  const uses = new Map();
  for (const m of meshes) for (const name of m.materials) uses.set(name, (uses.get(name) || 0) + 1);
  return [...uses].map(([name, n]) =>
    h("li", {}, h("span", {}, name || "unnamed"), h("span", { class: "note" }, count(n, "mesh", "meshes"))),
  );
}

// picturesOf are the pictures that the materials can use: from the file, from the map that
// embeds it, and from its folder, by the name of a material.
async function picturesOf(page, meshes) {
  const below = async (path) =>
    (await page.ask("children", { path, all: "true" }).catch(() => ({ children: [] }))).children
      .filter((c) => /\.(png|jpe?g|webp|dds|tga)$/i.test(c.name) && !/^icon\./.test(c.name))
      .map((c) => ({ name: c.name, path: path + "/" + c.name }));
  const [map, inside] = page.path.split(/(?<=\.gbx)\/items\//i),
    folder = page.path.split("/").slice(0, -1).join("/");
  const used = new Set(meshes.flatMap((m) => m.materials).map(plainName));
  const beside = !inside && folder && used.size ? (await below(folder)).filter((p) => used.has(plainName(p.name))) : [];
  const list = [
    ...(await Promise.all([below(page.path), inside ? below(map + "/items") : []])).flat(),
    ...beside,
  ].slice(0, 24);
  return list.map((p) => {
    const image = h("img", { alt: "" });
    const shown = blob("picture", { path: p.path }, "image/png", { signal: page.signal })
      .then((b) => {
        image.src = URL.createObjectURL(b);
        return image.decode();
      })
      .then(
        () => image,
        () => {
          image.remove();
          return null;
        },
      );
    return { ...p, image, shown };
  });
}

// plainName is the name of a material, or of a picture for it: Stone of
// Textures/Stone_D.dds.
function plainName(name) {
  return name
    .split(/[\\/]/)
    .at(-1)
    .replace(/\.(png|jpe?g|webp|dds|tga)$/i, "")
    .replace(/[ _-](d|diffuse|albedo|basecolor)$/i, "")
    .toLowerCase();
}

function picturesSheet(pictures) {
  return sheet(
    "Textures",
    pictures.map(({ name, path, image }) =>
      h("li", {}, image, h("span", {}, h("a", { href: address.of(path) }, name))),
    ),
  );
}

// showMacroblock draws the blocks of a macroblock, and counts them.
async function showMacroblock(page, stage, made, { blocks, items, names }) {
  replace(
    made,
    sheet(
      `${count(blocks, "block")}, ${count(items, "item")}`,
      Object.entries(names)
        .sort((a, b) => b[1] - a[1])
        .map(([name, n]) =>
          h("li", {}, icon("item", 16), h("span", {}, name), h("span", { class: "note" }, n.toLocaleString("en"))),
        ),
    ),
  );
  page.status(`${count(blocks, "block")}, ${count(items, "item")}`);
  replace(
    stage,
    await pictureOf(page, page.path).catch((error) => h("p", {}, error.message)),
    h("span", { class: "stage-caption" }, "Blocks, schematic"),
  );
}

// showShape draws the triangles of a file.
async function showShape(page, stage, answer, pictures) {
  const images = new Map(await Promise.all(pictures.map(async (p) => [plainName(p.name), await p.shown])));
  const pictureOfMaterial = (name, link = "") => images.get(plainName(name)) || images.get(plainName(link));
  const scene = await makeScene({ label: "The shape in three dimensions" });
  page.signal.addEventListener("abort", () => scene.destroy());
  const drawn = async (collision, level) => {
    const data = await (
      await blob("mesh.file", { path: page.path, collision: collision ? "true" : "", level }, "model/gltf-binary", {
        signal: page.signal,
      })
    ).arrayBuffer();
    await scene.mesh("shape", data, null, pictureOfMaterial);
  };
  const levels = [...new Set(answer.meshes.map((m) => m.level))].sort((x, y) => x - y);
  const collision = h("input", { type: "checkbox", onchange: () => drawn(collision.checked, level.value) });
  const level = h(
    "select",
    { "aria-label": "Level of detail", onchange: () => drawn(collision.checked, level.value) },
    levels.map((l) => h("option", { value: l }, "Level " + l)),
  );
  replace(
    stage,
    scene.element,
    h("div", { class: "stage-tools" }, h("label", {}, collision, "Collision"), levels.length > 1 && level),
  );
  await drawn(false, levels[0]);
  const { min, max, points } = scene.bounds("shape");
  const size = Math.max(...max.map((v, i) => v - min[i])) * 3 || 10;
  scene.grid(size, size / 12, min[1], [(min[0] + max[0]) / 2, (min[2] + max[2]) / 2]);
  scene.look(min, max, { points });
}
