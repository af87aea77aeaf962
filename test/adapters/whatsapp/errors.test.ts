import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CloudError, hindranceOfCode } from "../../../adapters/whatsapp/api/errors.ts";

/** What the rows of the guide's table are about, in their order. */
const MEANINGS = ["window", "unreachable", "pair", "throughput", "refused", "token", "down"];

/** The codes of each row, which stand before its colon; HTTP's own are none of them. */
const rows = [
  ...readFileSync(new URL("../../../docs/whatsapp.md", import.meta.url), "utf8").matchAll(
    /^\| ([^|:]*\d[^|:]*): /gm,
  ),
].map(([, said = ""]) => [...said.replaceAll(/HTTP \w+/g, "").matchAll(/\d+/g)].map(Number));

it("has the codes mean what the guide says of them", () => {
  expect(rows.map((codes) => codes.map((code) => new CloudError("", code).meaning))).toEqual(
    rows.map((codes, nth) => codes.map(() => MEANINGS[nth])),
  );
  expect(rows.map(({ length }) => length > 0)).toEqual(MEANINGS.map(() => true));
});

it("takes what is told later of a message for what keeps it from arriving, and what is no such thing for something that passes", () => {
  expect([131_047, 131_026, 131_053, 131_000].map(hindranceOfCode)).toEqual([
    "window",
    "unreachable",
    "refused",
    "down",
  ]);
  expect([131_056, 130_429, 190].map(hindranceOfCode)).toEqual(["down", "down", "down"]);
});
