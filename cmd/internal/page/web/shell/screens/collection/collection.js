// The screen of an index.

import { showCollection } from "../../widgets/collection/collection.js";

export async function show(page) {
  // The index is the file of this page, or the argument of pakbox serve.
  const at = page.path || page.query.index || "";
  await showCollection(page, at, await page.ask("collection", { index: at }));
}
