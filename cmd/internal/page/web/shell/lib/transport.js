// transport sends a question to pakbox and returns the answer. Here it uses HTTP and the
// program that served this page. The static site has another file of this name, which
// asks a worker. The two sites have no other difference.

import { lost } from "./connection.js";

// send requests an address below api/. It resolves to {status, type, body}, with
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

// reach fetches, and reports a lost connection.
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

// gone is called if a part of the page cannot be fetched.
export function gone() {
  lost("stopped");
}

// drop sends files: [{name, file}], with names that include their folders. It
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

// direct is the address of content for a link.
export function direct(address) {
  return "api/" + address;
}

// watch calls changed whenever the file at a path changes on disk, until the caller calls
// the returned function. A hidden page does not watch: a browser has few connections for
// all its pages.
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
