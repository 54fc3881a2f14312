// The worker that builds the shapes of a map.

import { coloursOf, expanded, isometric, roughOf, shadows, shapeOf } from "./boxes.js";

const fewBoxes = 4000; // these are drawn in full even during motions

self.addEventListener("message", ({ data: { id, boxes, tints, picture } }) => {
  const b = expanded(boxes);
  if (picture) {
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    isometric(canvas.getContext("2d"), picture.width, picture.height, b, tints, picture.colours);
    const bitmap = canvas.transferToImageBitmap();
    self.postMessage({ id, bitmap }, [bitmap]);
    return;
  }
  const dark = shadows(b);
  const send = (shape, rough) => {
    const colours = coloursOf(shape, tints);
    self.postMessage({ id, rough, shape: { ...shape, colours } }, [
      shape.corners.buffer,
      shape.boxes.buffer,
      shape.lights.buffer,
      colours.buffer,
    ]);
  };
  const fine = () => send(shapeOf(b, dark), false);
  if (b.n <= fewBoxes) return fine();
  send(roughOf(b, dark), true);
  setTimeout(fine, 50); // the rough shapes of other boxes come first
});
