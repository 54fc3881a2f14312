// transport carries a question to pakbox and its answer back: here over HTTP to
// the program that served this page. The static site has another file of this
// name, which asks a worker. Nothing else differs between the two.

import { lost } from "./connection.js";

// send asks for an address below api/. It resolves to {status, type, body}, with
// body an ArrayBuffer.
export async function send(method, address, { body, headers, signal } = {}) {
  const response = await reach("api/" + address, {
    method,
    body,
    headers,
    signal,
    credentials: "same-origin",
    cache: "no-cache",
  });
  return {
    status: response.status,
    type: response.headers.get("Content-Type") || "",
    length: Number(response.headers.get("X-Whole-Size") || -1),
    body: await response.arrayBuffer(),
  };
}

// reach fetches, and tells when pakbox is gone.
async function reach(address, options) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    lost("stopped");
    throw new Error("pakbox does not answer: it was stopped, or the connection is lost");
  }
  if (response.status === 401) lost("token");
  return response;
}

// gone is called when a part of the page cannot be fetched.
export function gone() {
  lost("stopped");
}

// drop hands files over: [{name, file}], with names that keep their folders. It
// resolves to the path of each.
export async function drop(files, progress) {
  const paths = [];
  for (const [i, { name, file }] of files.entries()) {
    progress?.(i, files.length, name);
    const response = await reach("api/drop?name=" + encodeURIComponent(name), {
      method: "POST",
      body: file,
      credentials: "same-origin",
    });
    const answer = await response.json();
    if (!response.ok)
      throw Object.assign(new Error(answer.error?.message || response.statusText), { kind: answer.error?.kind });
    paths.push(answer.path);
  }
  return paths;
}

// direct is the address of content that a link can lead to.
export function direct(address) {
  return "api/" + address;
}

// watch calls changed whenever the file that a path leads to has changed on
// disk, until the function that it returns is called. Nobody listens while the
// page is not in sight: a browser has few connections for all its pages.
export function watch(path, changed) {
  let source = null,
    seen = null;
  const listen = () => {
    source?.close();
    source = null;
    if (document.hidden) return;
    source = new EventSource("api/changes?path=" + encodeURIComponent(path));
    source.onmessage = ({ data }) => {
      if (seen !== null && seen !== data) changed();
      seen = data;
    };
  };
  document.addEventListener("visibilitychange", listen);
  listen();
  return () => {
    document.removeEventListener("visibilitychange", listen);
    source?.close();
  };
}
