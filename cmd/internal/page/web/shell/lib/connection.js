// Watches whether pakbox still answers. If it does not, a strip above the page explains
// how to continue, the content stays, and the page tries again by itself.

import { h, replace } from "./dom.js";

const words = {
  stopped: [
    "pakbox does not answer.",
    "It was stopped, or the connection is lost. Start it again; this page looks every few seconds.",
  ],
  token: [
    "pakbox was started again, and does not know this browser.",
    "Open the address that it printed, the one that ends in ?token=…",
  ],
};

let now = "";

// lost shows the reason of the lost connection: "stopped" or "token".
export function lost(why) {
  if (now === why) return;
  now = why;
  const [title, what] = words[why];
  replace(
    document.getElementById("notice"),
    h("div", { class: "notice notice-bad", role: "alert" }, h("strong", {}, title), " ", what),
  );
  document.body.classList.add("lost");
  setTimeout(look, 2000);
}

async function look() {
  if (!now) return;
  try {
    const response = await fetch("api/changed", { credentials: "same-origin", cache: "no-store" });
    if (response.ok) return found();
    if (response.status === 401) lost("token");
  } catch {
    /* it still does not answer */
  }
  setTimeout(look, 3000);
}

function found() {
  now = "";
  document.getElementById("notice").replaceChildren();
  document.body.classList.remove("lost");
  window.dispatchEvent(new CustomEvent("pakbox-changed"));
}
