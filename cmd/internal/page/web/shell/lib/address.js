// Addresses of views. They follow the # so that they work from any file server:
//
//   #/maps/My.Map.Gbx/thumbnail.jpg?tab=bytes&at=16-32     something in a file
//   #:diff?a=maps/A.Map.Gbx&b=maps/B.Map.Gbx               a view of its own
//
// A path's parts are escaped one by one.

import { step } from "./visits.js";

// parse reads the address of the page.
export function parse(hash = location.hash) {
  const text = hash.replace(/^#/, "");
  const at = text.indexOf("?");
  const head = at < 0 ? text : text.slice(0, at);
  const query = Object.fromEntries(new URLSearchParams(at < 0 ? "" : text.slice(at + 1)));
  if (head.startsWith(":")) return { view: head.slice(1), path: "", query };
  const path = head.split("/").filter(Boolean).map(decode).join("/");
  return { view: "file", path, query };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a lone % that the user typed
  }
}

// of makes the address of a file or of something in it.
export function of(path, query) {
  return "#/" + path.split("/").filter(Boolean).map(encodeURIComponent).join("/") + search(query);
}

// view makes the address of a view without a file.
export function view(name, query) {
  return "#:" + name + search(query);
}

function search(query) {
  const set = Object.entries(query || {}).filter(([, v]) => v !== null && v !== undefined && v !== "");
  return set.length ? "?" + new URLSearchParams(set) : "";
}

// change goes to the same view with other parameters. With quiet it adds no step to the
// history, for sliders and for searches during typing; with drawn it adds one, for a screen
// that shows the change by itself.
export function change(query, { quiet = false, drawn = false } = {}) {
  const now = parse();
  const next = { ...now.query, ...query };
  const hash = now.view === "file" ? of(now.path, next) : view(now.view, next);
  if (hash === location.hash) return;
  if (quiet) history.replaceState(history.state, "", hash);
  else if (drawn) step(document.getElementById("main"), hash);
  else location.hash = hash;
}
