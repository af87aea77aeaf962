import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

const path = findPackageJSON(import.meta.url) ?? "";

/** Reelay's version. */
export const { version: VERSION } = JSON.parse(readFileSync(path, "utf8")) as { readonly version: string };
