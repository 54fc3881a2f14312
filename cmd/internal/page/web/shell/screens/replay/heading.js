// The heading of a run: the driver, the time, the medal and the map.

import { h } from "../../lib/dom.js";
import { blob } from "../../lib/api.js";
import * as address from "../../lib/address.js";
import { time, count, spans } from "../../lib/format.js";
import { driven } from "./driven.js";

// heading has the driver, the time and the map.
export function heading({ what: { facts, card, title }, path, what }, info, map, n) {
  const line = (list, name) => list.find((l) => l.name === name);
  const painted = (list, name) => {
    const l = line(list, name);
    return l && (l.spans ? spans(l.spans) : l.text);
  };
  const ghost = info.ghosts[n],
    driven = facts.time ?? facts.race_time ?? ghost?.race_time,
    medals = map?.facts?.medals;
  const medal =
    driven && medals && ["author", "gold", "silver", "bronze"].find((m) => medals[m] > 0 && driven <= medals[m]);
  const says = [
    facts.login ?? ghost?.login,
    ghost?.car,
    ghost?.respawns === 0 ? "no respawns" : ghost?.respawns && count(ghost.respawns, "respawn"),
  ]
    .filter(Boolean)
    .join(", ");
  const where = painted(map?.card || [], "name") || painted(card, "map_name") || facts.map_uid;
  const image = h("img", { alt: "", hidden: true });
  if (map?.thumbnail)
    blob("thumbnail", { path: path + "/" + what.map }, "image/jpeg")
      .then((b) => {
        image.src = URL.createObjectURL(b);
        image.hidden = false;
      })
      .catch(() => {});
  return h(
    "header",
    { class: "sheet replay-who" },
    h(
      "h1",
      {},
      painted(card, "nick") ||
        (info.nick_spans?.[n] && spans(info.nick_spans[n])) ||
        facts.login ||
        ghost?.login ||
        title,
    ),
    says && h("p", { class: "note" }, says),
    driven !== null && driven !== undefined && h("p", { class: "replay-time" }, time(driven)),
    medal &&
      h(
        "p",
        {},
        h("span", { class: "medal medal-" + medal }),
        medal[0].toUpperCase() + medal.slice(1) + " medal, ",
        h("b", { class: "good" }, "−" + ((medals[medal] - driven) / 1000).toFixed(3)),
        h("span", { class: "note" }, " to " + time(medals[medal])),
      ),
    where &&
      h(
        what.map ? "a" : "div",
        { class: "replay-map", href: what.map ? address.of(path + "/" + what.map) : null },
        image,
        h(
          "span",
          {},
          h("b", {}, where),
          h(
            "span",
            { class: "note" },
            [
              map?.facts?.author_login ?? facts.map_author,
              map?.facts?.collection_name ?? facts.collection_name ?? facts.collection,
              map?.facts?.mood ?? facts.game,
              what.map && "inside this file",
            ]
              .filter(Boolean)
              .join(", "),
          ),
        ),
      ),
  );
}
