import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/sandbox.ts";

/** What the pages' commands make where they are run, which holds keys, photos or words of people. */
const PRIVATE = [
  ".env",
  "data/reelay.db",
  "data.before/reelay.db",
  "data.before.tar",
  "reelay.backup",
  "reelay-2026-11-29.backup",
  "me.json",
];

// Docker's file has the same form, as far as these names go.
it.each([".gitignore", ".dockerignore"])("%s leaves out what a checkout holds of people", (file) => {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "--quiet", folder]);
  copyFileSync(new URL(`../../${file}`, import.meta.url), join(folder, ".gitignore"));
  const left = execFileSync("git", ["-C", folder, "check-ignore", "--", ...PRIVATE], { encoding: "utf8" });
  expect(left.trim().split("\n")).toEqual(PRIVATE);
});
