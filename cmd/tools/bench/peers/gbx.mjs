// gbx.mjs MODE FILE... reads GBX files with a package from npm and prints how
// many it could read: js-header is gbx 0.6.0, ts-header and ts-full are gbx
// 1.0.0-rc12. A file counts as read if there is data and no error.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [mode, ...files] = process.argv.slice(2);
const modules = join(process.env.PAKBOX_BENCH_MODULES, "node_modules");
const parse = {
  "js-header": async () => {
    const GBX = createRequire(pathToFileURL(modules + "/"))("gbx-js");
    return (data) => {
      let found;
      new GBX({
        data,
        onParse: (metadata) => {
          found = metadata;
        },
      });
      return found;
    };
  },
  "ts-header": async () => {
    const { GBX } = await import(pathToFileURL(join(modules, "gbx-ts/dist/index.mjs")));
    return (data) => new GBX(data, 0).parseHeaders();
  },
  "ts-full": async () => {
    const { GBX } = await import(pathToFileURL(join(modules, "gbx-ts/dist/index.mjs")));
    return (data) => new GBX(data, 0).parse();
  },
};
const read = await parse[mode]();
let done = 0;
for (const file of files) {
  try {
    const result = await read(new Uint8Array(readFileSync(file)));
    if (result && Object.keys(result).length > 0) done++;
  } catch {}
}
console.log(`done ${done}`);
process.exit(0);
