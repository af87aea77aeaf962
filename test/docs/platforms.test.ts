import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PLATFORMS_PAGE, platformsPage } from "../../tools/docs/platforms.ts";

/** A table's rows, however the formatter aligns them. */
const rows = (page: string) => page.replaceAll(/ +|-+/g, " ");

it("docs/platforms.md says of each platform what its adapter does", () => {
  expect(rows(readFileSync(PLATFORMS_PAGE, "utf8"))).toBe(rows(platformsPage()));
});
