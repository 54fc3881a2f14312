// The screen of a file that is not an archive.

import { showPreview } from "../../widgets/preview/preview.js";

export async function show(page) {
  page.command(page.what.command);
  await showPreview(page.target, page.path, page.signal, page.what);
}
