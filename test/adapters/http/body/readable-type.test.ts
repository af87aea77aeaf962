import { describe, expect, it } from "vitest";
import { readableType } from "../../../../adapters/http/body/read-request.ts";

const READ = ["application/json", "multipart/form-data"];

const typeOf = (type: string, coding?: string) =>
  readableType(
    new Headers({ "content-type": type, ...(coding !== undefined && { "content-encoding": coding }) }),
    READ,
  );

/** What is said to have come. */
function refused(type: string, coding?: string): unknown {
  try {
    return typeOf(type, coding);
  } catch (error) {
    return (error as { params?: { found?: unknown } }).params?.found;
  }
}

describe("what a body is", () => {
  it.each([
    "application/json",
    "application/json; charset=utf-8",
    'Application/JSON;charset="UTF8"',
    "application/json; charset=us-ascii",
    "application/json; charset=",
  ])("is read as JSON: %j", (type) => {
    expect(typeOf(type)).toBe("application/json");
  });

  it.each([
    ["application/json; charset=latin1", "application/json; charset=latin1"],
    ['Application/JSON;charset="Latin1"', "application/json; charset=latin1"],
    ["application/json; charset=ansi", "application/json; charset=ansi"],
    ["application/json; charset=macintosh", "application/json; charset=macintosh"],
    ["application/json; charset=iso-8859-1", "application/json; charset=iso-8859-1"],
    ["multipart/form-data; boundary=x; charset=UTF-16", "multipart/form-data; charset=utf-16"],
    ["multipart/form-data; charset=latin1; boundary=x", "multipart/form-data; charset=latin1"],
  ])("is said with its letters where those are others than of UTF-8: %j", (type, found) => {
    expect(refused(type)).toBe(found);
  });

  it("is said as far as it is known: what may be a key in the wrong place is not", () => {
    expect(refused("application/json; charset=kd83hf7s2kd9")).toBe("application/json; charset=…");
    expect(refused("application/json", "gzip")).toBe("gzip");
    expect(refused("application/json", "gzip, br")).toBe("gzip, br");
    expect(refused("application/json", "gzip, kd83hf7s2kd9")).toBe("application/json, …");
    expect(refused("application/json", "kd83hf7s2kd9")).toBe("application/json, …");
    expect(refused("kd83hf7s2kd9")).toBe("…");
  });
});
