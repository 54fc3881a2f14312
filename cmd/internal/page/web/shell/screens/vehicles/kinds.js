// The kinds of objects that a pakset sells: their properties, and the lines of their tiles.

import { h } from "../../lib/dom.js";

export const number = (v, unit) =>
  v === null || v === undefined ? "" : Number(v).toLocaleString("en") + (unit ? " " + unit : "");

// kinds are the tables of a pakset: the properties of its objects (the first is that of the
// chart), the facets, and the two lines of a tile.
export const kinds = {
  vehicles: {
    noun: "vehicle",
    measures: [
      ["topspeed", "Top speed", "km/h"],
      ["power", "Power", "kW"],
      ["price", "Price", "Cr"],
      ["running_cost", "Running cost", "Cr/km"],
      ["capacity", "Capacity", ""],
    ],
    apart: [
      ["waytype", "Way"],
      ["engine_type", "Engine"],
      ["freight", "Freight"],
    ],
    main: (o) => number(o.topspeed, "km/h"),
    second: (o) => (o.power ? number(o.power, "kW") : o.capacity ? number(o.capacity, o.freight || "") : ""),
    third: (o) => number(o.price, "Cr"),
  },
  buildings: {
    noun: "building",
    measures: [
      ["level", "Level", ""],
      ["capacity", "Capacity", ""],
      ["maintenance", "Maintenance", "Cr"],
    ],
    apart: [
      ["kind", "Kind"],
      ["waytype", "Way"],
      ["size", "Size"],
    ],
    main: (o) => "level " + o.level,
    second: (o) => [o.kind, o.size].filter(Boolean).join(", "),
    third: (o) => number(o.capacity),
  },
  factories: {
    noun: "factory",
    plural: "factories",
    measures: [
      ["productivity", "Productivity", ""],
      ["range", "Range", ""],
    ],
    apart: [
      ["location", "Location"],
      ["size", "Size"],
    ],
    main: (o) => number(o.productivity),
    second: (o) =>
      o.makes?.length ? "makes " + o.makes.join(", ") : o.needs?.length ? "needs " + o.needs.join(", ") : "",
    third: (o) => o.size,
  },
  ways: {
    noun: "way",
    measures: [
      ["topspeed", "Top speed", "km/h"],
      ["price", "Price", "Cr"],
      ["maintenance", "Maintenance", "Cr"],
    ],
    apart: [
      ["type", "Type"],
      ["waytype", "Way"],
    ],
    main: (o) => number(o.topspeed, "km/h"),
    second: (o) => o.type,
    third: (o) => number(o.price, "Cr"),
  },
};

// words are values in the form for people.
export const words = (v) => {
  const t = String(v).replaceAll("_", " ");
  return t[0].toUpperCase() + t.slice(1);
};
