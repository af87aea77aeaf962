import { describe, expect, it } from "vitest";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { RecentLines } from "../../../src/infrastructure/telemetry/recent-lines.ts";

describe("the newest lines of the log", () => {
  it("are found by what stands in them, the newest first, as many as are wanted", () => {
    const recent = new RecentLines();
    for (let number = 0; number < 5_000; number++) recent.add(`request-${number % 10} ${number}`);
    expect(recent.find("request-3 ", 3)).toEqual(["request-3 4993", "request-3 4983", "request-3 4973"]);
    expect(recent.find("", 10_000)).toHaveLength(2_000);
    expect(recent.find("request-3 2993", 1)).toEqual([]);
    expect(new RecentLines().find("", 10)).toEqual([]);
  });

  it("are what was written: without a key", () => {
    const recent = new RecentLines();
    const written: string[] = [];
    const log = makeLogger({
      level: "info",
      destination: { write: (line) => void written.push(line) },
      also: recent,
    });
    log.info({ request: "abc", authorization: "Bearer a-very-secret-token" }, "A request was answered");
    expect(recent.find("abc", 5)).toEqual(written);
    expect(written.join()).not.toContain("a-very-secret-token");
  });
});
