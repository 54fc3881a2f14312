// The shell: it reads the address, asks for the kind of the file, and lets the screen for
// this kind draw the page. It knows screens only by name.

import { h, replace } from "./lib/dom.js";
import { icon } from "./lib/icons.js";
import { ask, ApiError } from "./lib/api.js";
import * as address from "./lib/address.js";
import { makeError } from "./widgets/error/error.js";
import { showKeys, onKey } from "./widgets/keys/keys.js";
import { showGo } from "./widgets/go/go.js";
import { remember } from "./lib/recent.js";
import { scrolled } from "./lib/scroll.js";
import { arrive, leave } from "./lib/visits.js";
import { gone, watch } from "./lib/transport.js";
import { chooseFiles, dropAnywhere } from "./widgets/drop/drop.js";

const main = document.getElementById("main");
const crumbs = document.getElementById("crumbs");
const command = document.getElementById("command");
const status = document.getElementById("status");

// views are screens without a file, with their titles.
const views = { diff: "Differences", collection: "Collection", changes: "Changes", catalogue: "Catalogue of blocks" };

let stopped = new AbortController(); // cancels the requests of the last screen
let shown = { path: null, answer: null }; // the answer about the file on screen
let visit = arrive(); // the entry of the history on screen
let watched = { path: null, end: () => {} }; // the file that is watched

// page is the argument of a screen: the element to draw in, the parameters of the address,
// and functions to report the screen's state.
function page(target, now) {
  const signal = stopped.signal;
  return {
    target,
    signal,
    ...now,
    memory: visit.memory, // what Back restores
    ask: (name, parameters) => ask(name, parameters, { signal }),
    command: (text) => {
      if (!signal.aborted) showCommand(text);
    },
    status: (text) => {
      if (!signal.aborted) status.textContent = text || "";
    },
    fail: (error) => {
      if (!signal.aborted) showError(target, error);
    },
    // actions adds buttons at the end of the tabs, after the buttons that every file has.
    actions: (...buttons) => {
      if (!signal.aborted) main.querySelector(".tabs-actions")?.append(...buttons.filter(Boolean));
    },
  };
}

async function show() {
  stopped.abort();
  stopped = new AbortController();
  status.textContent = "";
  showCommand(""); // removes the command of the last screen
  main.setAttribute("aria-busy", "true");
  const now = address.parse();
  const mine = stopped;
  listen(now.view === "file" && !now.path.startsWith("dropped/") ? now.path : "");
  try {
    if (now.view !== "file") await showView(now);
    else if (now.path === "") await showScreen("home", main, now);
    else await showFile(now, mine);
  } catch (error) {
    if (mine.signal.aborted || error.name === "AbortError") return;
    main.className = "";
    showError(main, error);
  } finally {
    if (mine === stopped) main.setAttribute("aria-busy", "false");
  }
}

// listen reloads the file on screen when it changes on disk.
function listen(path) {
  if (watched.path === path) return;
  watched.end();
  watched = { path, end: path ? watch(path, again) : () => {} };
}

let scrollBack = null; // the scroll position before a redraw

// again redraws the screen after a change of the file. If the file changes again during
// the redraw, it redraws once more, from the same scroll position.
async function again() {
  scrollBack ??= scrolled(main);
  shown = { path: null, answer: null };
  const drawn = show(),
    mine = stopped;
  await drawn;
  if (mine !== stopped) return;
  scrollBack?.();
  scrollBack = null;
  if (!status.textContent) status.textContent = "The file has changed, and was read again.";
}

async function showView(now) {
  const title = Object.hasOwn(views, now.view) ? views[now.view] : null;
  showCrumbs(title || "No such page", [title || "No such page"]);
  if (!title) {
    main.className = "";
    replace(main, h("h1", {}, "There is no such page"), h("p", {}, h("a", { href: "#/" }, "Home")));
    return;
  }
  await showScreen(now.view, main, now);
  entitle(main, title);
}

// entitle gives a screen without a visible title one for screen readers.
function entitle(target, title) {
  if (!target.querySelector("h1")) target.prepend(h("h1", { class: "unseen" }, title));
}

// load fetches the code of a screen, which fails if pakbox was stopped.
async function load(name) {
  const linked = globalThis.pakboxModules?.[`screens/${name}/${name}.js`]; // it came with app.js
  if (linked) return linked;
  try {
    return await import(`./screens/${name}/${name}.js`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.debug(error);
    gone();
    throw new Error("This view could not be fetched: pakbox does not answer.");
  }
}

async function showScreen(name, target, now) {
  const screen = await load(name);
  if (target === main) {
    main.className = screen.whole ? "whole" : "";
    if (now.view === "file" && now.path === "") showCrumbs("pakbox", []);
  }
  target.replaceChildren();
  await screen.show(page(target, now));
}

// showFile asks for the kind of a file, once for all tabs, and shows one of the tabs.
async function showFile(now, mine) {
  const parts = now.path.split("/");
  showCrumbs(parts.at(-1), parts);
  if (shown.path !== now.path) {
    const answer = await ask("what", { path: now.path }, { signal: mine.signal });
    shown = { path: now.path, answer };
    remember(now.path, answer);
  }
  const what = shown.answer;
  const tab = what.tabs.find((t) => t.name === now.query.tab) || what.tabs[0];
  const panel = h("section", { class: "panel", "aria-label": tab.title, tabindex: "-1" });
  main.className = "whole";
  const screen = await load(tab.screen);
  if (mine.signal.aborted) return;
  if (screen.whole) panel.className = "panel whole";
  replace(main, tabsOf(what, tab, now), panel);
  try {
    await screen.show({ ...page(panel, now), what });
    entitle(panel, `${what.title}: ${tab.title}`);
  } catch (error) {
    if (mine.signal.aborted || error.name === "AbortError") return;
    showError(panel, error);
  }
}

function tabsOf(what, tab, now) {
  return h(
    "div",
    { class: "tabs" },
    h(
      "nav",
      { "aria-label": "Views of this file" },
      what.tabs.map((t) =>
        h("a", { href: address.of(now.path, { tab: t.name }), "aria-current": t === tab ? "page" : null }, t.title),
      ),
    ),
    h(
      "div",
      { class: "tabs-actions" },
      h("a", { class: "tabs-aside", href: address.view("diff", { a: now.path }) }, "Differences…"),
    ),
  );
}

function showCrumbs(title, parts) {
  document.title = title === "pakbox" ? "pakbox" : title + " – pakbox";
  replace(
    crumbs,
    parts.map((part, i) => [
      i > 0 && h("span", { class: "sep", "aria-hidden": "true" }, "/"),
      i < parts.length - 1
        ? h("a", { href: address.of(parts.slice(0, i + 1).join("/")), title: part }, part)
        : h("span", { "aria-current": "page", title: part }, part),
    ]),
  );
}

function showCommand(text) {
  command.parentElement.classList.toggle("empty", !text);
  if (!text) {
    command.replaceChildren();
    return;
  }
  const copy = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": "Copy the command",
      title: "Copy",
      onclick: async () => {
        await navigator.clipboard?.writeText(text);
        status.textContent = "copied";
      },
    },
    icon("copy", 16),
  );
  // The link has the view but nothing of the file: neither its name nor the selection.
  const link = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": "Copy a link to this view",
      title: "Copy a link to this view",
      onclick: async () => {
        await navigator.clipboard?.writeText(location.origin + location.pathname + location.hash);
        status.textContent = "Link copied. It opens this view and carries no file.";
      },
    },
    icon("link", 16),
  );
  replace(command, h("code", { title: text }, text), copy, link);
}

function showError(target, error) {
  console.debug(error);
  const { path } = address.parse();
  if (error.kind === "not_found" && path.startsWith("dropped/")) {
    // a link from another person to a view of a file that is not open here
    const name = path.split("/").at(-1);
    replace(
      target,
      h("h1", {}, "Drop " + name + " to see this view"),
      h("p", {}, "The link carries the view, never the file. Drop the file anywhere on this page, or open it."),
      h("p", {}, h("label", { for: "choose", class: "button main" }, "Open " + name)),
    );
    return;
  }
  const up = path.split("/").slice(0, -1).join("/");
  replace(
    target,
    h(
      "div",
      { class: "state" },
      makeError(error instanceof ApiError ? error : { message: error.message }, {
        heading: target === main ? "h1" : "h2",
      }),
      h(
        "p",
        { class: "bar" },
        h("a", { class: "button main", href: "#/" }, "Home"),
        up && h("a", { class: "button", href: address.of(up) }, "Parent folder"),
      ),
    ),
  );
}

window.addEventListener("hashchange", async () => {
  scrollBack = null;
  leave(main);
  visit = arrive();
  const mine = visit;
  await show();
  if (mine !== visit) return;
  if (visit.back) visit.back(true);
  else announce();
});

// announce moves the focus to the heading of a new screen, where a reader of the screen
// begins and the next Tab leads into the content.
function announce() {
  const heading = main.querySelector("h1");
  if (!heading || document.activeElement !== document.body) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
window.addEventListener("pakbox-changed", again);
window.addEventListener("pakbox-glance", async ({ detail }) => {
  // the static site has a map's header before all of pakbox is fetched
  const { glance } = await load("map");
  main.className = "whole";
  main.setAttribute("aria-busy", "true");
  showCrumbs(detail.path.split("/").at(-1), detail.path.split("/"));
  glance(main, detail);
  detail.drawn();
});
onKey("/", "go to a file, or to the search of this page", () => {
  const own = main.querySelector("[data-search]");
  if (own) own.focus();
  else showGo();
});
onKey("Ctrl-K", "go to a file", showGo);
onKey("?", "show the keys", showKeys);
onKey("u", "go to the parent folder", () => {
  const { path } = address.parse();
  if (path) location.hash = address.of(path.split("/").slice(0, -1).join("/"));
});
onKey("[", "the previous tab", () => step(-1));
onKey("]", "the next tab", () => step(1));

function step(by) {
  const tabs = [...main.querySelectorAll(".tabs nav a")];
  const at = tabs.findIndex((t) => t.hasAttribute("aria-current"));
  if (at >= 0) location.hash = tabs[(at + by + tabs.length) % tabs.length].getAttribute("href");
}

const drops = {
  taken: (paths) => {
    const to = paths.length === 1 ? address.of(paths[0]) : address.of(paths[0].split("/").slice(0, -1).join("/"));
    if (location.hash === to || location.hash.startsWith(to + "?")) again();
    else location.hash = to;
  },
  progress: (done, of) => {
    status.textContent = done === of ? "" : `taking file ${done + 1} of ${of}`;
  },
  failed: (error) => {
    main.className = "";
    showError(main, error);
  },
};
dropAnywhere(drops);
chooseFiles(document.getElementById("choose"), drops);

document.getElementById("go").addEventListener("click", showGo);
document.getElementById("keys").addEventListener("click", showKeys);
show();
