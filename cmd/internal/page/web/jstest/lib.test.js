// Tests of shell/lib that need no browser.

import "./dom.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import * as address from "../shell/lib/address.js";
import { append, h, replace } from "../shell/lib/dom.js";
import * as format from "../shell/lib/format.js";
import { keep, kept } from "../shell/lib/keep.js";
import { makeLatest } from "../shell/lib/latest.js";
import { recent, remember } from "../shell/lib/recent.js";
import { keepSearches, searches } from "../shell/lib/searches.js";
import * as words from "../shell/lib/words.js";

// cases runs a test for each row: arguments and the expected result.
function cases(name, call, rows) {
  for (const [args, want] of rows) {
    test(`${name}(${JSON.stringify(args)})`, () => assert.deepEqual(call(...args), want));
  }
}

cases("size", format.size, [
  [[0], "0 B"],
  [[1023], "1023 B"],
  [[1024], "1.0 KiB"],
  [[1 << 30], "1.0 GiB"],
  [[2 ** 42], "4096.0 GiB"],
  [[-1], ""],
  [[null], ""],
]);
cases("time", format.time, [
  [[36217], "0:36.217"],
  [[-1500], "-0:01.500"],
  [[3600000], "1:00:00.000"],
  [[null], "–"],
]);
cases("count", format.count, [
  [[1, "block"], "1 block"],
  [[1200, "block"], "1,200 blocks"],
  [[2, "mesh", "meshes"], "2 meshes"],
]);
cases("filesIn", format.filesIn, [
  [[[]], "empty"],
  [[[{ kind: "folder" }, { kind: "map" }, { kind: "map" }]], "1 folder, 2 files"],
]);
cases("shell", format.shell, [
  [["a/b.Map.Gbx"], "a/b.Map.Gbx"],
  [["it's"], "'it'\\''s'"],
  [[""], "''"],
  [["$(x)"], "'$(x)'"],
]);
cases("hex", format.hex, [
  [[255], "0xff"],
  [[255, 4], "0x00ff"],
]);

cases("split", words.split, [
  [['a "b c" author="d e"'], ["a", "b c", "author=d e"]],
  [["  "], []],
  [['"open end'], ["open end"]],
]);
cases("join", words.join, [[[["a", "b c", "author=d e"]], 'a "b c" author="d e"']]);
cases("toggle", words.toggle, [
  [["a", "b"], "a b"],
  [["a b", "b"], "a"],
]);
cases("command", words.command, [[["x.sqlite", 'author="d e"'], "pakbox find x.sqlite 'author=d e'"]]);

cases("parse", address.parse, [
  [["#/maps/A%20B.Gbx?tab=bytes"], { view: "file", path: "maps/A B.Gbx", query: { tab: "bytes" } }],
  [["#:diff?a=x"], { view: "diff", path: "", query: { a: "x" } }],
  [["#/100%"], { view: "file", path: "100%", query: {} }],
  [[""], { view: "file", path: "", query: {} }],
]);
test("of and parse are inverse for any name", () => {
  for (const path of ["a b/ü#?&=%.Gbx", "x", "maps/$1 + 2"]) assert.equal(address.parse(address.of(path)).path, path);
});
test("change keeps the other parameters", () => {
  location.hash = "#/a?tab=bytes&at=1";
  address.change({ at: "2", tab: null });
  assert.equal(location.hash, "#/a?at=2");
});

test("markup in a text stays text", () => {
  const element = h("p", { class: "x", hidden: false }, "<b>", [null, ["c"]], false, 0);
  assert.equal(element.textContent, "<b>c0");
  assert.equal(element.childNodes.length, 3);
  assert.equal(element.getAttribute("hidden"), null);
  replace(element, "d");
  append(element, [h("i", {}, "e")]);
  assert.equal(element.textContent, "de");
});

test("kept values survive, missing ones have a default", () => {
  assert.equal(kept("view", "tiles"), "tiles");
  keep("view", "table");
  assert.equal(kept("view", "tiles"), "table");
});
test("recent files are unique, and their number is limited", () => {
  for (let i = 0; i < 20; i++) remember("f" + i, { title: "t" });
  remember("f15", { title: "new" });
  assert.equal(recent().length, 12);
  assert.deepEqual(recent()[0], { path: "f15", title: "new" });
  assert.equal(recent().filter((r) => r.path === "f15").length, 1);
});
test("saved searches belong to one index", () => {
  keepSearches("a", [{ title: "x", q: "y" }]);
  keepSearches("b", []);
  assert.deepEqual(searches("a"), [{ title: "x", q: "y" }]);
  assert.deepEqual(searches("c"), []);
});

// pending is a view that is loaded when the test calls done.
function pending(name) {
  let done;
  const view = { name, destroyed: 0, destroy: () => view.destroyed++ };
  const loaded = new Promise((resolve) => (done = () => resolve(view)));
  return { view, make: () => loaded, done };
}

// The select for views of a run: 3D takes long to load, "From above" is there at once.
test("a view that loads too late must not replace a later one", async () => {
  const first = pending("plan").view,
    space = pending("3d"),
    plan = pending("plan again");
  const views = makeLatest(first);
  const slow = views.change(space.make);
  const quick = views.change(plan.make);
  plan.done();
  assert.equal(await quick, plan.view);
  space.done();
  assert.equal(await slow, null);
  assert.equal(views.current, plan.view);
  assert.deepEqual([first.destroyed, space.view.destroyed, plan.view.destroyed], [1, 1, 0]);
});
test("a view stays until the next one is loaded", async () => {
  const first = pending("plan").view,
    space = pending("3d");
  const views = makeLatest(first);
  const change = views.change(space.make);
  assert.equal(views.current, first);
  assert.equal(first.destroyed, 0);
  space.done();
  assert.equal(await change, space.view);
  assert.equal(first.destroyed, 1);
});
test("a view that loads after the screen was left is destroyed", async () => {
  const first = pending("plan").view,
    space = pending("3d");
  const views = makeLatest(first);
  const change = views.change(space.make);
  views.destroy();
  space.done();
  assert.equal(await change, null);
  assert.deepEqual([first.destroyed, space.view.destroyed], [1, 1]);
});
