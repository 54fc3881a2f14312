// Questions to pakbox by name. Every answer equals that of the command of the same
// name with --json.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { direct, send } from "./transport.js";

// ApiError is an error that pakbox reports, with its message.
export class ApiError extends Error {
  constructor(error, status) {
    super(inWords(error.message));
    this.kind = error.kind;
    this.entry = error.entry;
    this.offset = error.offset;
    this.hints = error.hints || [];
    this.status = status;
  }
}

// inWords adapts a message to the page: it names fields instead of flags.
function inWords(message) {
  return message.replace(/(^|\s)--([a-z][a-z-]*)/g, (_, before, name) => before + name.replaceAll("-", " "));
}

function address(name, parameters) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters || {})) {
    if (value === null || value === undefined || value === "") continue;
    for (const v of [value].flat()) query.append(key, v);
  }
  const text = query.toString();
  return text ? name + "?" + text : name;
}

function check(answer) {
  if (answer.status < 400) return answer;
  let error = { kind: "http", message: "pakbox answered with status " + answer.status };
  try {
    error = JSON.parse(new TextDecoder().decode(answer.body)).error || error;
  } catch {
    /* not JSON: only the status describes the error */
  }
  throw new ApiError(error, answer.status);
}

// ask returns the JSON answer to a question.
export async function ask(name, parameters, { signal } = {}) {
  const answer = check(await send("GET", address(name, parameters), { signal }));
  return JSON.parse(new TextDecoder().decode(answer.body));
}

// change makes a change.
export async function change(name, parameters, body) {
  const answer = check(
    await send("POST", address(name, parameters), {
      body: JSON.stringify(body || {}),
      headers: { "Content-Type": "application/json" },
    }),
  );
  return JSON.parse(new TextDecoder().decode(answer.body));
}

// bytes returns a part of some content, and the size of the complete content.
export async function bytes(name, parameters, from, to, { signal } = {}) {
  const headers = from === undefined ? {} : { Range: `bytes=${from}-${to - 1}` };
  const answer = await send("GET", address(name, parameters), { headers, signal });
  if (answer.status === 416) return { data: new Uint8Array(), size: answer.length, type: answer.type };
  check(answer);
  return { data: new Uint8Array(answer.body), size: answer.length, type: answer.type };
}

// blob returns content as an object that an <img> or a loader can show. The caller
// chooses its type; the type in the content is ignored.
export async function blob(name, parameters, type, { signal } = {}) {
  const answer = check(await send("GET", address(name, parameters), { signal }));
  return new Blob([answer.body], { type });
}

// saveLink is a link that saves content under a name.
export function saveLink(text, name, parameters, file, look) {
  const href = direct(address(name, parameters));
  if (look?.startsWith("button")) text = [icon("save", 16), text];
  if (href) return h("a", { href, download: file, class: look }, text);
  return h(
    "a",
    {
      href: location.hash,
      class: look,
      onclick: (event) => {
        event.preventDefault();
        save(name, parameters, file);
      },
    },
    text,
  );
}

// save saves content under a name.
export async function save(name, parameters, file) {
  const url = URL.createObjectURL(await blob(name, parameters, "application/octet-stream"));
  h("a", { href: url, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
