import { existsSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

const path = findPackageJSON(import.meta.url) ?? "";

/** Reelay's version. */
export const { version: VERSION } = JSON.parse(readFileSync(path, "utf8")) as { readonly version: string };

/** Where pages are that `npm run build:page` made, each in a folder of its own. */
export const PAGES_FOLDER = join(dirname(path), "dist");

/** Whether a page was made; a checkout has none before that. */
export function isBuilt(page: "console" | "page" | "reference" | "setup"): boolean {
  return existsSync(join(PAGES_FOLDER, page, "index.html"));
}
