// Numbers and names in the form for people.

import { h } from "./dom.js";

const units = ["B", "KiB", "MiB", "GiB"];

// size is a number of bytes: 1.4 KiB.
export function size(n) {
  if (n === null || n === undefined || n < 0) return "";
  let i = 0;
  while (n >= 1024 && i < units.length - 1) {
    n /= 1024;
    i++;
  }
  return (i === 0 ? n : n.toFixed(1)) + " " + units[i];
}

// time is a number of milliseconds: 0:36.217.
export function time(ms) {
  if (ms === null || ms === undefined) return "–";
  const sign = ms < 0 ? "-" : "";
  ms = Math.abs(ms);
  const hours = Math.floor(ms / 3600000),
    minutes = Math.floor(ms / 60000) % 60;
  const rest = ((ms % 60000) / 1000).toFixed(3).padStart(6, "0");
  return hours ? `${sign}${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${sign}${minutes}:${rest}`;
}

// hex is a number in the form of offsets.
export function hex(n, digits = 0) {
  return "0x" + n.toString(16).padStart(digits, "0");
}

// count is a number with its noun: 1 block, 2 blocks.
export function count(n, noun, plural = noun + "s") {
  return n.toLocaleString("en") + " " + (n === 1 ? noun : plural);
}

// filesIn counts the folders and files in a list, in words.
export function filesIn(children) {
  const folders = children.filter((c) => c.kind === "folder").length,
    files = children.length - folders;
  return [folders && count(folders, "folder"), files && count(files, "file")].filter(Boolean).join(", ") || "empty";
}

// shell quotes a word for a shell.
export function shell(word) {
  return /^[\w.\-\/+,@%=:]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}

// spans shows a name in its own colours, which the server has separated. On the dark
// stage colours only get lighter; on paper they keep their hue and get as dark or light
// as the theme needs.
export function spans(parts, { stage = false } = {}) {
  return h(
    "span",
    { class: "painted" },
    parts.map((p) =>
      h(
        "span",
        {
          style: {
            color: !p.color
              ? ""
              : stage
                ? tone(p.color, dark, 4.6, true)
                : `light-dark(${tone(p.color, 1, 5.2)}, ${tone(p.color, dark, 5.2)})`,
            fontWeight: p.bold ? "600" : "",
            fontStyle: p.italic ? "italic" : "",
            letterSpacing: p.wide ? "0.12em" : p.narrow ? "-0.04em" : "",
          },
        },
        p.text.replace(icons, ""),
      ),
    ),
  );
}

// icons are characters that exist only in fonts of the games.
const icons = /[\uE000-\uF8FF]/g;

// dark is the luminance of dark backgrounds: the stage, and paper in the dark theme. It is
// a little lighter than in tokens.css, to allow for scrims and selected rows.
const dark = 0.02;

// tone changes the lightness of a colour until it contrasts with a background. On paper,
// colours without a hue (near white, near black, greys) become that of the text.
function tone(color, ground, wanted, stage = false) {
  let rgb = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16) / 255);
  const most = Math.max(...rgb),
    least = Math.min(...rgb),
    towards = ground < 0.5 ? 1 : 0;
  if (!stage && most - least < 0.12) return most > 0.8 || least < 0.2 ? "var(--text)" : "var(--text-2)";
  for (let i = 0; i < 60 && contrast(rgb, ground) < wanted; i++) rgb = rgb.map((c) => c + (towards - c) * 0.06);
  return `rgb(${rgb.map((c) => Math.round(c * 255)).join(" ")})`;
}

// contrast is the contrast of a colour and a background, as the accessibility guidelines
// define it.
function contrast([r, g, b], ground) {
  const light = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const l = 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  return (Math.max(l, ground) + 0.05) / (Math.min(l, ground) + 0.05);
}

// day is a date in the form for people: 7 Mar 2017.
export function day(text) {
  return text ? new Date(text).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" }) : "";
}
