import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const name = process.platform === "win32" ? "pakbox.exe" : "pakbox";

/** The path of the command: PAKBOX in the environment, the package for this
 * platform, or the one in PATH. It is never the script that npm puts into PATH,
 * which would start itself. null if none is found. */
export function executable() {
  const named = process.env.PAKBOX;
  if (named) return isOwn(named) ? null : named;
  return fromPackage() ?? fromPath();
}

const own = fileURLToPath(new URL("bin.js", import.meta.url));
const isOwn = (path) => existsSync(path) && realpathSync(path) === realpathSync(own);

// fromPackage looks beside this module, and where the program runs: npm links a package
// that is installed from a folder, and a link has no neighbours.
function fromPackage() {
  const starts = [import.meta.url, join(process.cwd(), "pakbox.js")];
  if (process.argv[1]) starts.push(process.argv[1]);
  for (const start of starts) {
    try {
      const path = createRequire(start).resolve(`@pakbox/${process.platform}-${process.arch}/bin/${name}`);
      if (existsSync(path)) return path;
    } catch {
      // the package for this platform is not installed there
    }
  }
  return null;
}

function fromPath() {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (!folder || folder.endsWith(join("node_modules", ".bin")) || folder.endsWith(sep + ".bin")) continue;
    const path = join(folder, name);
    if (existsSync(path) && !isOwn(path)) return path;
  }
  return null;
}
