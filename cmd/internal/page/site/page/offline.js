// The site without a network: a service worker keeps its files after the first
// visit. It asks the network first, so that no visitor sees an outdated page.

const cache = "pakbox-site";

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const list = await (await fetch("files.json")).json();
    // The browser's own store has the files that the page fetched before.
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
