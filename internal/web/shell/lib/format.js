// Numbers and names as people read them.

import { h } from "./dom.js";

const units = ["B", "KiB", "MiB", "GiB"];

// size is a number of bytes: 1.4 KiB.
export function size(n) {
  if (n === null || n === undefined || n < 0) return "";
  let i = 0;
  while (n >= 1024 && i < units.length - 1) { n /= 1024; i++; }
  return (i === 0 ? n : n.toFixed(1)) + " " + units[i];
}

// time is a number of milliseconds: 0:36.217.
export function time(ms) {
  if (ms === null || ms === undefined) return "–";
  const sign = ms < 0 ? "-" : "";
  ms = Math.abs(ms);
  const hours = Math.floor(ms / 3600000), minutes = Math.floor(ms / 60000) % 60;
  const rest = (ms % 60000 / 1000).toFixed(3).padStart(6, "0");
  return hours ? `${sign}${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${sign}${minutes}:${rest}`;
}

// hex is a number as offsets are written.
export function hex(n, digits = 0) {
  return "0x" + n.toString(16).padStart(digits, "0");
}

// count is a number with its noun: 1 block, 2 blocks.
export function count(n, noun, plural = noun + "s") {
  return n.toLocaleString("en") + " " + (n === 1 ? noun : plural);
}

// shell is a word as one types it in a shell.
export function shell(word) {
  return /^[\w.\-\/+,@%=:]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}

// spans shows a name in its own colours, on the dark ground that these names
// are made for. The server has taken the codes apart.
export function spans(parts) {
  return h("span", { class: "painted" }, parts.map((p) => h("span", {
    style: {
      color: p.color ? readable(p.color) : "",
      fontWeight: p.bold ? "700" : "",
      fontStyle: p.italic ? "italic" : "",
      letterSpacing: p.wide ? "0.12em" : p.narrow ? "-0.04em" : "",
    },
  }, p.text)));
}

// readable lightens a colour until it stands out from the dark ground.
export function readable(color) {
  let [r, g, b] = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16) / 255);
  for (let i = 0; i < 20 && contrast(r, g, b) < 4.6; i++) {
    [r, g, b] = [r, g, b].map((c) => c + (1 - c) * 0.12);
  }
  return `rgb(${[r, g, b].map((c) => Math.round(c * 255)).join(" ")})`;
}

// contrast is that of a colour on the ground of painted names, #16181d, as the
// accessibility guidelines compute it.
function contrast(r, g, b) {
  const light = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const luminance = (x, y, z) => 0.2126 * light(x) + 0.7152 * light(y) + 0.0722 * light(z);
  return (luminance(r, g, b) + 0.05) / (luminance(22 / 255, 24 / 255, 29 / 255) + 0.05);
}
