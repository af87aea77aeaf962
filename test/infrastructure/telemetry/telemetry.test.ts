import { inspect } from "node:util";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeLogger, scrub, type Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";

/** What a logger wrote. */
function logged(write: (log: Logger) => void): string {
  const lines: string[] = [];
  write(makeLogger({ level: "debug", destination: { write: (line: string) => void lines.push(line) } }));
  for (const line of lines) JSON.parse(line);
  return lines.join("");
}

/** Everything that somebody may log a secret in. */
const ways: Record<string, (log: Logger, secret: string) => void> = {
  "a message": (log, secret) => log.info(`sent with ${secret}, twice: ${secret}`),
  "a formatted message": (log, secret) => log.info("sent with %s and %j", secret, { secret }),
  "an object": (log, secret) => log.info({ deep: { list: [secret] }, [secret]: 1 }, "sent"),
  "a child's bindings": (log, secret) => log.child({ secret }).info("sent"),
  "a URL": (log, secret) => log.info({ url: `https://x.test/?a=${encodeURIComponent(secret)}&b=1` }),
  "an error": (log, secret) => log.error(new Error(`refused ${secret}`)),
  "an error's cause": (log, secret) =>
    log.error({ err: new Error("outer", { cause: new Error("inner", { cause: new Error(secret) }) }) }),
  "an error's own properties": (log, secret) =>
    log.error({ err: Object.assign(new Error("no"), { config: { headers: { any: secret } } }) }),
  "JSON in a message": (log, secret) => log.info(JSON.stringify({ secret })),
};

describe("the log", () => {
  it.each(Object.entries(ways))("shows no known secret in %s", (_, way) => {
    const property = fc.property(fc.string({ minLength: 8, unit: "grapheme-ascii" }), (body) => {
      const secret = `sk'${body}"\\`;
      scrub.register(secret);
      const line = logged((log) => way(log, secret));
      expect(line).toContain("[scrubbed]");
      expect(line).not.toContain(JSON.stringify(body).slice(1, -1));
    });
    fc.assert(property, { numRuns: 20 });
  });

  const base64 = Buffer.alloc(300, "picture").toString("base64");
  it.each([
    ["a header", { headers: { "X-API-Key": "abcdef" } }, "abcdef"],
    ["raw headers", { rawHeaders: ["x-api-key", "abcdef", "accept", "*/*"] }, "abcdef"],
    ["a header as text", "GET / HTTP/1.1\r\nX-Api-Key: abcdef\r\n", "abcdef"],
    ["a bearer", { authorization: "Bearer abcdef" }, "abcdef"],
    ["JSON in text", JSON.stringify({ "x-api-key": "abcdef" }), "abcdef"],
    ["a key in a query", "https://x.test/v?key=abcdef&b=1", "abcdef"],
    ["a token in a query", "https://x.test/v?b=1&access_token=abcdef#x", "abcdef"],
    ["a data URI", `see data:image/png;base64,aGVsbG8= there`, "aGVsbG8"],
    ["a data URI with parameters", "data:image/svg+xml;charset=utf-8,%3Csvg%3E", "svg%3E"],
    ["base64", { body: { image_base64: base64 } }, base64.slice(0, 50)],
    ["bytes", { image: Buffer.from("hello") }, "104,101"],
    ["a partner's test token", `Bad token: rlytest_my-shop_0123abcd_${"Ab-_".repeat(10)}xyz`, "0123abcd"],
    ["a partner's access token", `Bad token: rly_my-shop_0123abcd_${"Ab-_".repeat(10)}xyz`, "0123abcd"],
    [
      "Telegram's token",
      "https://api.telegram.org/bot123456789:AAF-abcdefghijklmnopqrstuvwxyz012345/x",
      "AAF-abc",
    ],
    [
      "Discord's token",
      "login MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.abcdefghijklmnopqrstuvwxyz0123456789AB",
      "Gabcde",
    ],
  ])("shows nothing that looks like a secret or a picture: %s", (_, value, secret) => {
    for (const line of [
      logged((log) => log.info(value)),
      logged((log) => log.info({ value }, "deeper")),
      logged((log) =>
        log.error(new Error(typeof value === "string" ? value : inspect(value, { compact: true }))),
      ),
    ]) {
      expect(line).not.toContain(secret);
      expect(line).toContain('"level"');
    }
  });

  it("leaves what is needed to understand it", () => {
    const line = logged((log) =>
      log.warn(
        { job: "5f0c8a52-7a30-4d0e-9d4c-2f6a4e1b9c11", path: "/api/generate/video", ms: 12 },
        "slow, key=x",
      ),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: "warn",
      job: "5f0c8a52-7a30-4d0e-9d4c-2f6a4e1b9c11",
      path: "/api/generate/video",
      ms: 12,
      msg: "slow, key=[scrubbed]",
    });
  });

  it("is as quiet as it is told", () => {
    const lines: string[] = [];
    const log = makeLogger({
      level: "silent",
      destination: { write: (line: string) => void lines.push(line) },
    });
    log.error("no");
    expect(lines).toEqual([]);
  });
});

describe("what the log leaves out", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("forgets a key that nobody uses any more, and no sooner", () => {
    const key = "one-that-the-service-refused";
    scrub.registerBriefly(key);
    vi.advanceTimersByTime(14 * 60_000);
    expect(scrub.text(`failed with ${key}`)).toBe("failed with [scrubbed]");
    scrub.registerBriefly(key);
    vi.advanceTimersByTime(14 * 60_000);
    expect(scrub.text(`failed with ${key}`)).toBe("failed with [scrubbed]");
    vi.advanceTimersByTime(2 * 60_000);
    expect(scrub.text(`failed with ${key}`)).toBe(`failed with ${key}`);
    expect(scrub.brieflyKnown).toBe(0);
  });

  it("keeps no more keys in mind than a thousand, the latest", () => {
    for (let i = 0; i < 3_000; i += 1) scrub.registerBriefly(`refused-${i}-of-many`);
    expect(scrub.brieflyKnown).toBe(1_000);
    expect(scrub.text("refused-2999-of-many refused-5-of-many")).toBe("[scrubbed] refused-5-of-many");
  });

  it("never forgets what the process works with", () => {
    scrub.register("token-of-the-settings");
    vi.advanceTimersByTime(365 * 24 * 3_600_000);
    expect(scrub.text("token-of-the-settings")).toBe("[scrubbed]");
  });
});
