// Tests of shell/screens and shell/widgets that need no browser and no styles.

import assert from "node:assert/strict";
import { test } from "node:test";
import { orders, sorted } from "../shell/widgets/collection/orders.js";
import { boundsOf, cornersOf } from "../shell/widgets/scene/view.js";
import * as three from "../shell/vendor/three.js";
import { usualYears, year } from "../shell/screens/vehicles/years.js";

test("year reads a month", () => {
  assert.equal(year("1931-07"), 1931.5);
  assert.equal(year("1931"), 1931);
  assert.equal(year(""), null);
  assert.equal(year(undefined), null);
});

test("the axis leaves out carts of the year 1", () => {
  const all = [1, 1850, 1862, 1900, 1950, 1990].map((from) => ({ from }));
  assert.deepEqual(usualYears(all), [1840, 1990]);
});

test("the axis of objects without years is the twentieth century", () => {
  assert.deepEqual(usualYears([{ from: null }]), [1900, 2000]);
});

test("sorted puts rows in the order by size, and texts and paths with them", () => {
  const table = {
    columns: ["name", "size"],
    rows: [
      ["a", 1],
      ["b", 3],
    ],
    texts: ["a", "b"],
    paths: ["x/a", "x/b"],
  };
  const got = sorted(table, "size");
  assert.deepEqual(got.rows, [
    ["b", 3],
    ["a", 1],
  ]);
  assert.deepEqual(got.texts, ["b", "a"]);
  assert.deepEqual(got.paths, ["x/b", "x/a"]);
});

test("every order has a title and a key", () => {
  for (const [name, [title, key]] of Object.entries(orders)) {
    assert.ok(title.length > 3, name);
    assert.notEqual(key({ kind: "map", name: "x" }), undefined, name);
  }
});

test("a box has eight corners", () => {
  const corners = cornersOf([0, 0, 0], [1, 2, 3]);
  assert.equal(corners.length, 24);
  assert.deepEqual(corners.slice(-3), [1, 2, 3]);
});

test("boundsOf has the box and the points of a mesh", () => {
  const geometry = new three.BufferGeometry();
  geometry.setAttribute("position", new three.BufferAttribute(new Float32Array([0, 0, 0, 4, 0, 0, 0, 5, 6]), 3));
  const { min, max, points } = boundsOf(three, new three.Mesh(geometry));
  assert.deepEqual(min, [0, 0, 0]);
  assert.deepEqual(max, [4, 5, 6]);
  assert.equal(points.length, 9);
});
