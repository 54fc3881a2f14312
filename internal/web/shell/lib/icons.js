// Small drawings of kinds of things, in the colour of the text around them.

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
};

// icon draws one of them.
export function icon(name, size = 20) {
  return svg("svg", { viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor", "stroke-width": "1.8", "stroke-linejoin": "round", "stroke-linecap": "round", "aria-hidden": "true", class: "icon" },
    svg("path", { d: paths[name] || paths.file }));
}
