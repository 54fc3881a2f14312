// The site without a network: a service worker keeps its files after the first
// visit. The network comes first, so that nobody is shown an old page.

const cache = "pakbox-site";

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const list = await (await fetch("files.json")).json();
    // What the page has fetched already is taken from the browser's own store.
    await (await caches.open(cache)).addAll(["./", ...list].map((name) => new Request(name, { cache: "force-cache" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const kept = await caches.open(cache);
    try {
      const response = await fetch(request);
      if (response.ok) await kept.put(request, response.clone());
      return response;
    } catch (error) {
      const old = await kept.match(request, { ignoreSearch: true });
      if (old) return old;
      throw error;
    }
  })());
});
