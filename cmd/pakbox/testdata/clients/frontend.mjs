// Answers lines of JSON with the functions and methods of package pakbox.
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { createInterface } from "node:readline";
import * as pakbox from "PACKAGE";

const plain = (value) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value);

// upload reads the file at a path as a parameter.
const upload = (path) => new File([readFileSync(path)], basename(path));

function paramsOf(request) {
  const params = { ...request.params };
  for (const name of Object.keys(request.uploads)) {
    params[name] = Array.isArray(params[name]) ? params[name].map(upload) : upload(params[name]);
  }
  return params;
}

// objectOf is the file as an object of the class that has the method.
async function objectOf(request) {
  const file = await pakbox.open(request.path).catch(() => new pakbox.File(request.path, {}));
  return file.constructor.name === request.class ? file : new pakbox[request.class](request.path, file.facts);
}

async function answer(request) {
  const params = paramsOf(request);
  const call = pakbox.questions[request.function];
  if (request.change) {
    if (existsSync(request.path) && request.method) {
      const copy = request.path + ".copy" + extname(request.path);
      copyFileSync(request.path, copy);
      await new pakbox[request.class](copy, {})[request.method]({ ...params, dry_run: true });
    }
    return { answer: await call(request.path, params) };
  }
  const value = await (request.no_file ? call(params) : call(request.path, params));
  const reply = value instanceof Uint8Array ? { file: plain(value) } : { answer: value };
  if (request.method) reply.method = plain(await (await objectOf(request))[request.method](params));
  return reply;
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line)).catch((error) => ({
    kind: error.kind ?? error.name,
    message: error.message,
  }));
  console.log(JSON.stringify(reply));
}
await pakbox.close();
