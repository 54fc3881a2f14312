// Small drawings for kinds of files, in the colour of the text around them.

import { svg } from "./dom.js";

const paths = {
  map: "M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14",
  run: "M4 19c4 0 3-12 8-12s3 8 8 8M4 19h.01M20 15h.01",
  item: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5",
  pack: "M4 4h16v5H4zM5 9v11h14V9M10 13h4",
  vehicle: "M6 4h12v12H6zM6 10h12M8 20l2-4M16 20l-2-4",
  folder: "M3 6h6l2 2h10v11H3z",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3",
  check: "M4 12l5 5L20 6",
  picture: "M4 5h16v14H4zM4 16l5-5 5 5 2-2 4 4M15.5 9.5h.01",
  text: "M9 8l-4 4 4 4M15 8l4 4-4 4",
  sound: "M5 10v4h3l4 4V6L8 10zM16 9a4 4 0 0 1 0 6",
  unknown: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .9-1 1.7M12 17h.01",
  all: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  list: "M4 6h16M4 12h16M4 18h16",
  copy: "M8 8h12v12H8zM4 16V4h12",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  change: "M5 19l1-4L16 5l3 3L9 18z",
  undo: "M5 9h9a5 5 0 0 1 0 10h-4M5 9l4-4M5 9l4 4",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5v14M17 5v14",
  more: "M9 5l7 7-7 7",
  whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  close: "M6 6l12 12M18 6L6 18",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  plug: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
};

// icon draws one of them.
export function icon(name, size = 20) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true", class: "icon" },
    svg("path", { d: paths[name] || paths.file }),
  );
}
