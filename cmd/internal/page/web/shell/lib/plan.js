// The plan of a map without its title and legend, which the page shows elsewhere.

import { blob } from "./api.js";

// planOf asks for the plan of a map, as an image.
export async function planOf(path, signal) {
  const text = await (await blob("map.picture", { path, kind: "svg" }, "image/svg+xml", { signal })).text();
  const edge = 32,
    top = 92,
    bottom = 56; // the margins of nadeo/picture
  const bare = text.replace(
    /width="(\d+)" height="(\d+)" viewBox="[^"]*"/,
    (_, w, h) =>
      `viewBox="${edge} ${top} ${w - 2 * edge} ${h - top - bottom}" width="${w - 2 * edge}" height="${h - top - bottom}"`,
  );
  return new Blob([bare], { type: "image/svg+xml" });
}
