import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/** The path of the command: PAKBOX in the environment, the package for this
 * platform, or the one in PATH. */
export function executable() {
  if (process.env.PAKBOX) return process.env.PAKBOX;
  const name = process.platform === "win32" ? "pakbox.exe" : "pakbox";
  try {
    const path = createRequire(import.meta.url).resolve(`@pakbox/${process.platform}-${process.arch}/bin/${name}`);
    if (existsSync(path)) return path;
  } catch {
    /* the package for this platform is not installed */
  }
  return name;
}
