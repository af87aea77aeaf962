import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvOf } from "../../../src/seam/text/csv.ts";

/** Reads CSV as RFC 4180 describes it, one character after the other. */
function read(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const here = text.charAt(at);
    if (quoted && here === '"' && text.charAt(at + 1) === '"') cell += text.charAt(at++);
    else if (here === '"') quoted = !quoted;
    else if (quoted) cell += here;
    else if (here === "," || here === "\r") {
      row.push(cell);
      cell = "";
    } else if (here === "\n") {
      rows.push(row);
      row = [];
    } else cell += here;
  }
  return rows;
}

describe("CSV", () => {
  it("quotes what would end a cell, and nothing else", () => {
    expect(csvOf([["plain", "with space", 6.5, null, undefined]])).toBe("plain,with space,6.5,,\r\n");
    expect(csvOf([["a,b", 'say "hi"', "two\nlines", "a\rb"]])).toBe(
      '"a,b","say ""hi""","two\nlines","a\rb"\r\n',
    );
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])("lets no name begin a formula: %j", (name) => {
    expect(read(csvOf([[name]]))).toEqual([[`'${name}`]]);
  });

  it("leaves numbers numbers", () => {
    expect(csvOf([[-1.5, "a=1"]])).toBe("-1.5,a=1\r\n");
  });

  it("is read as what was written, whatever it holds", () => {
    const some = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', ",", "\r", "\n", "a") }));
    const cell = some.filter((text) => !/^[=+\-@\t\r]/.test(text));
    const rows = fc.array(fc.array(cell, { minLength: 1 }));
    fc.assert(
      fc.property(rows, (written) => {
        expect(read(csvOf(written))).toEqual(written);
      }),
    );
  });
});
