// The worker that builds the shapes of a map.

import { coloursOf, isometric, roughOf, shadows, shapeOf } from "./boxes.js";

self.addEventListener("message", ({ data: { id, boxes, tints, picture } }) => {
  if (picture) {
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    isometric(canvas.getContext("2d"), picture.width, picture.height, boxes, tints, picture.colours);
    const bitmap = canvas.transferToImageBitmap();
    self.postMessage({ id, bitmap }, [bitmap]);
    return;
  }
  const dark = shadows(boxes), fine = shapeOf(boxes, dark);
  // A few boxes are drawn as they are, whatever moves.
  const rough = fine.boxes.length > 20000 ? roughOf(boxes, dark) : null;
  const made = [fine, rough].filter(Boolean).map((s) => ({ ...s, colours: coloursOf(s, tints) }));
  self.postMessage({ id, fine: made[0], rough: made[1] || null }, made.flatMap((s) => [s.corners.buffer, s.boxes.buffer, s.lights.buffer, s.colours.buffer]));
});
