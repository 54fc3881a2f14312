// A first look at a map: only the readers, a third of the program, so that a map's
// name and picture are on the page while the rest is fetched.
/* global begin, pakboxLite */

importScripts("start.js");

const ready = begin("lite.wasm.br");
ready.then(() => postMessage({ ready: true }), () => postMessage({ ready: false })); // without it the page shows the same a little later

self.addEventListener("message", async ({ data }) => {
  let glance = null; // if reading fails here, the full program reports the reason
  try {
    await ready;
    const map = pakboxLite(new Uint8Array(await data.file.arrayBuffer()));
    if (!map.error) glance = { path: data.path, facts: map.facts, name: map.name, author: map.author, thumbnail: map.thumbnail().data };
  } catch { /* as above */ }
  postMessage({ glance });
});
