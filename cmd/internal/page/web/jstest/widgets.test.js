// Tests of shell/widgets that need no browser.

import "./dom.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { makeError } = await import("../shell/widgets/error/error.js");
const { makeFacets } = await import("../shell/widgets/facets/facets.js");
const { expanded, shapeOf, trianglesOf } = await import("../shell/widgets/scene/boxes.js");

test("an error has a title, its message, hints and its kind", () => {
  const element = makeError({ kind: "truncated", message: "size: needs 8 bytes", entry: "a.txt", hints: ["copy it"] });
  assert.match(element.textContent, /cut off/);
  for (const part of ["needs 8 bytes", "in a.txt", "copy it", "truncated"])
    assert.ok(element.textContent.includes(part));
  assert.equal(element.getAttribute("role"), "alert");
});
test("a message begins with a capital letter, but a name keeps its case", () => {
  assert.ok(makeError({ message: "unknown key" }).textContent.startsWith("Unknown key"));
  assert.ok(makeError({ message: "size: wrong" }).textContent.startsWith("size: wrong"));
});

// values are this many values of a facet.
const values = (n) => Array.from({ length: n }, (_, i) => ({ value: "v" + i, files: n - i }));

test("facets show values with files, and mark the chosen ones", () => {
  const chosen = [];
  const facets = makeFacets((word) => chosen.push(word));
  facets.show(
    [
      {
        word: "kind",
        title: "kind",
        values: [
          { value: "replay", files: 1 },
          { value: "map", files: 2 },
          { value: "item", files: 0 },
        ],
      },
      {
        word: "status",
        title: "status",
        values: [
          { value: "ok", files: 9 },
          { value: "damaged", files: 1 },
        ],
      },
    ],
    "kind=map",
  );
  const buttons = facets.element.all("button");
  assert.deepEqual(
    buttons.map((b) => [b.dataset.word, b.getAttribute("aria-pressed")]),
    [
      ["kind=map", "true"],
      ["kind=replay", "false"],
      ["status=damaged", "false"],
    ],
  );
  buttons[1].click();
  assert.deepEqual(chosen, ["kind=replay"]);
});
test("facets fold values above the limit, but not a single one", () => {
  const facets = makeFacets(() => {});
  for (const [n, folds] of [
    [7, 0],
    [8, 1],
  ]) {
    facets.show([{ word: "mood", title: "mood", values: values(n) }], "");
    assert.equal(facets.element.all("button").length, n);
    assert.equal(facets.element.all("details").length, folds);
  }
});

// boxes are boxes of 2 by 2 by 2 at positions.
function boxes(...positions) {
  return expanded({
    n: positions.length,
    at: new Float32Array(positions.flat()),
    kind: new Uint16Array(positions.length),
    sizes: [2, 2, 2],
    turn: new Uint16Array(positions.length),
    turns: [0, 0, 0, 1],
  });
}

test("faces that two boxes share are not drawn", () => {
  const apart = shapeOf(boxes([0, 0, 0], [10, 0, 0])),
    beside = shapeOf(boxes([0, 0, 0], [2, 0, 0]));
  assert.ok(apart.boxes.length > 0);
  assert.equal(beside.boxes.length, apart.boxes.length - 2);
});
test("each face is two triangles of its four corners", () => {
  const corners = trianglesOf(2);
  assert.equal(corners.length, 12);
  assert.equal(Math.max(...corners), 7);
});
