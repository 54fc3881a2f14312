// The header of a map, read in JavaScript: the map's name and times are on the page while
// the programs are fetched. The answers of the programs replace these values, so this
// code reads the usual form of a header and ignores all others.

// inHeader returns the values in the header of a map: {facts, name, author}; null if the
// form of the header is unknown.
export async function inHeader(file) {
  const start = new DataView(await file.slice(0, 17).arrayBuffer());
  // GBX, version 6, binary; the class; the bytes of the chunks in the header.
  if (start.byteLength < 17 || start.getUint32(0) !== 0x47425806 || start.getUint8(5) !== 0x42 || start.getUint32(13, true) > most) return null;
  const data = await file.slice(17, 17 + start.getUint32(13, true)).arrayBuffer(), view = new DataView(data), count = view.getUint32(0, true);
  let at = 4 + 8 * count;
  for (let i = 0; i < count; i++) {
    if ((view.getUint32(4 + 8 * i, true) & 0xFFF) === xmlChunk) return fromXML(new TextDecoder().decode(new Uint8Array(data, at + 4, view.getUint32(at, true))));
    at += view.getUint32(8 + 8 * i, true) & 0x7FFFFFFF;
  }
  return null;
}

const most = 1 << 20, xmlChunk = 5;

function fromXML(text) {
  const xml = new DOMParser().parseFromString(text, "text/xml"), value = (element, name) => xml.querySelector(element)?.getAttribute(name) || null;
  const number = (element, name) => { const n = parseInt(value(element, name), 10); return n >= 0 ? n : null; };
  const name = value("ident", "name");
  if (!name) return null;
  return {
    name: [{ text: plain(name) }], author: [],
    facts: {
      collection_name: value("desc", "envir"), mood: value("desc", "mood"), title_id: value("header", "title"), laps: number("desc", "nblaps"), is_lap_race: number("desc", "nblaps") > 0,
      medals: Object.fromEntries([["author", "authortime"], ["gold", "gold"], ["silver", "silver"], ["bronze", "bronze"]].map(([medal, attribute]) => [medal, number("times", attribute)])),
    },
  };
}

// plain is a name without its codes for colours and links.
function plain(name) {
  return name.replace(/^\ufeff|\$(\$)|\$[0-9a-f][^$]{0,2}|\$[lhp](?:\[[^\]]*\])?|\$[^$]?/gi, "$1");
}
