import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { COMMAND_LINE_PAGE, commandLinePage } from "../../tools/docs/command-line.ts";

/** A table's rows, however the formatter aligns them. */
const rows = (page: string) => page.replaceAll(/ +|-+/g, " ");

it("the lines of JSON are told as they are", () => {
  expect(rows(readFileSync(COMMAND_LINE_PAGE, "utf8"))).toBe(rows(commandLinePage()));
});
