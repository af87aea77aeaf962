import { inspect } from "node:util";
import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import * as errors from "../../../../src/infrastructure/api/transport/errors.ts";
import { RATE_LIMIT_MESSAGE } from "../../../../src/common/contract.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { client, KEY, PICTURE, VIDEO } from "../client.ts";
import { answer, hang, json, refusal, reset, resetAtOnce, serve, truncated } from "../server.ts";

/** What something between answers instead of the service. */
const page = (status: number) => answer(status, `<html><title>${status}</title></html>`);

const refusedByPage = (status: number): [string, RequestListener, typeof errors.ServiceFailure] => [
  `${status} as an HTML page`,
  page(status),
  errors.ServiceFailure,
];

/** How a submission and a read end, both answered by the same step, and how often each was sent. */
async function outcomes(step: RequestListener) {
  await using server = await serve(step);
  await using used = client(server.baseUrl);
  const post = await used.api.generateVideo(VIDEO).catch((error: unknown) => error);
  const posts = server.requests.length;
  const get = await used.api.balance().catch((error: unknown) => error);
  return { post, posts, get, gets: server.requests.length - posts, waits: used.waits };
}

describe("an error of the service (section 7)", () => {
  it.each([
    [400, "duration must be 3-8", errors.BadRequest, 1],
    [401, "Invalid API key", errors.Unauthorized, 1],
    [402, "Insufficient tokens", errors.InsufficientTokens, 1],
    [403, "Premium template", errors.SubscriptionRequired, 1],
    [404, "No such template", errors.NotFound, 1],
    [413, "Too large", errors.BadRequest, 1],
    [429, RATE_LIMIT_MESSAGE, errors.RateLimited, 4],
    [429, "Whatever this is", errors.RateLimited, 4],
    [429, "All concurrent job slots are in use", errors.NoFreeSlot, 4],
    [503, "H3 is disabled", errors.Maintenance, 4],
  ])("%i %s has one meaning for a submission and a read", async (status, message, meaning, tries) => {
    const { post, posts, get, gets } = await outcomes(refusal(status, message));
    expect(post).toBeInstanceOf(meaning);
    expect(post).toMatchObject({ status, safeToRepeat: true, params: { message }, name: meaning.name });
    expect(posts).toBe(1);
    expect(get).toBeInstanceOf(meaning);
    expect(gets).toBe(tries);
  });

  it.each([
    ["500 in its own words", refusal(500, "provider failed"), errors.ServiceFailure],
    ["502 as an HTML page", answer(502, "<html>Bad gateway</html>"), errors.ServiceFailure],
    ["503 as an HTML page", answer(503, "<html>Unavailable</html>"), errors.Maintenance],
    ["504 without a body", answer(504, ""), errors.ServiceFailure],
    ["408 from something between", answer(408, ""), errors.ServiceFailure],
    ["an HTML page with 200", answer(200, "<html>Welcome</html>"), errors.ServiceFailure],
    ["JSON that breaks off", answer(200, '{"job_id": "a'), errors.ServiceFailure],
    ["JSON that is no object", json(["a"]), errors.ServiceFailure],
    ["a redirect", answer(302, "", { location: "/login" }), errors.ServiceFailure],
    ...[400, 401, 402, 403, 404, 405, 410, 413, 422, 499].map(refusedByPage),
    ["429 as an HTML page", page(429), errors.RateLimited],
    ["429 in words of a slot that are no error object", answer(429, '"no free slot"'), errors.RateLimited],
    ["403 without a body", answer(403, ""), errors.ServiceFailure],
    ["403 in another's JSON", json({ message: "Forbidden" }, 403), errors.ServiceFailure],
    ["401 in another's JSON of an error", json({ error: "Unauthorized" }, 401), errors.ServiceFailure],
    ["402 of another status", json({ error: "Payment required", code: 502 }, 402), errors.ServiceFailure],
    ["404 of a code in words", json({ error: "no route", code: "NOT_FOUND" }, 404), errors.ServiceFailure],
    ["429 in another's JSON of an error", json({ error: "rate limited" }, 429), errors.RateLimited],
    ["429 of slots in another's JSON", json({ error: "no slot" }, 429), errors.RateLimited],
    ["402 that breaks off", answer(402, '{"error": "Insuff'), errors.ServiceFailure],
  ])("%s leaves a submission unsure, and a read is repeated", async (_, step, meaning) => {
    const { post, posts, get, gets } = await outcomes(step);
    expect(post).toBeInstanceOf(errors.Unsure);
    expect(post).toMatchObject({ safeToRepeat: false });
    expect(posts).toBe(1);
    expect(get).toBeInstanceOf(meaning);
    expect(get).toMatchObject({ safeToRepeat: true });
    expect(gets).toBe(4);
  });

  it("a page's 429 tells of its status and how long to wait, though a submission is unsure", async () => {
    const { post } = await outcomes(answer(429, "<html>Slow down</html>", { "retry-after": "2" }));
    expect(post).toMatchObject({ code: "unsure", status: 429, retryAfterMs: 2000 });
  });

  it.each([
    ["a reset after the request", reset],
    ["an answer that breaks off", truncated],
  ])("%s leaves a submission unsure, and a read is repeated", async (_, step) => {
    const { post, posts, get, gets } = await outcomes(step);
    expect(post).toBeInstanceOf(errors.Unsure);
    expect(posts).toBe(1);
    expect(get).toBeInstanceOf(errors.Network);
    expect(gets).toBe(4);
  });

  it("silence leaves a submission unsure, and a read is repeated", async () => {
    await using server = await serve(hang);
    await using used = client(server.baseUrl, {}, { headersTimeoutMs: 150 });
    await expect(used.api.generateVideo(VIDEO)).rejects.toBeInstanceOf(errors.Unsure);
    // What was sent may be given up before it is there.
    await expect.poll(() => server.requests.length).toBe(1);
    await expect(used.api.balance()).rejects.toBeInstanceOf(errors.Network);
    await expect.poll(() => server.requests.length).toBe(5);
  });

  it("an answer that breaks off is told of by its status and its request", async () => {
    const { post, get } = await outcomes(truncated);
    for (const error of [post, get])
      expect(error).toMatchObject({ status: 200, requestId: expect.any(String) });
  });

  it("a reset in the middle of the request leaves a submission unsure", async () => {
    await using server = await serve(resetAtOnce);
    await using used = client(server.baseUrl);
    await expect(used.api.generateVideo(VIDEO)).rejects.toBeInstanceOf(errors.Unsure);
    expect(server.requests).toHaveLength(1);
  });

  it("a submission whose answer names no job is unsure", async () => {
    const { post } = await outcomes(json({ success: false }));
    expect(post).toBeInstanceOf(errors.Unsure);
  });

  it("nothing has happened where nothing listens or a name leads nowhere", async () => {
    const server = await serve(hang);
    await server[Symbol.asyncDispose]();
    for (const baseUrl of [server.baseUrl, "http://reelay.invalid/api"]) {
      await using used = client(baseUrl);
      const error = await used.api.generateVideo(VIDEO).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(errors.Network);
      expect(error).toMatchObject({ safeToRepeat: true });
    }
  });

  it("a file that breaks off is a definite failure: the request was never whole", async () => {
    await using server = await serve(hang);
    await using used = client(server.baseUrl);
    const image_base64 = { ...VIDEO.image_base64, bytes: PICTURE.length + 1 };
    const error = await used.api.generateVideo({ ...VIDEO, image_base64 }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: "media_unreadable" });
    expect(error).not.toBeInstanceOf(errors.ApiError);
  });

  it("tells how long to wait, in both of the header's forms", async () => {
    const seconds = await outcomes(refusal(429, RATE_LIMIT_MESSAGE, { "retry-after": "3" }));
    expect(seconds.post).toMatchObject({ retryAfterMs: 3000 });
    expect(seconds.waits).toHaveLength(3);
    expect(seconds.waits.every((ms) => ms >= 3000)).toBe(true);
    const at = new Date(Date.now() + 10_000).toUTCString();
    const date = await outcomes(refusal(503, "resting", { "retry-after": at }));
    expect(date.waits.every((ms) => ms > 7000 && ms < 13_000)).toBe(true);
  });

  it("names the request as the service did, else as it was sent", async () => {
    const named = await outcomes(refusal(400, "no", { "x-request-id": "abc-1" }));
    expect(named.post).toMatchObject({ requestId: "abc-1" });
    await using server = await serve(refusal(400, "no"));
    await using used = client(server.baseUrl);
    const error = await used.api.balance().catch((e: unknown) => e);
    expect(error).toMatchObject({ requestId: server.requests[0]?.headers["x-request-id"] });
  });
});

describe("no error tells a secret", () => {
  const base64 = PICTURE.toString("base64");
  const spilled = `Bad key ${KEY} (${KEY.slice(0, 20)}...), body {"image_base64":"${base64}"}`;

  it.each([
    ["a refusal that repeats the request", refusal(400, spilled)],
    ["a refusal for the key", refusal(401, spilled)],
    ["a page that repeats the request", answer(502, `<html>${spilled}</html>`)],
    ["an answer that cannot be read", answer(200, spilled)],
    ["a reset", reset],
  ])("%s", async (_, step) => {
    const { post, get } = await outcomes(step);
    for (const error of [post, get]) {
      expect(error).toBeInstanceOf(ReelayError);
      const told = [
        inspect(error, { depth: 9, showHidden: true }),
        JSON.stringify(error),
        ...chain(error),
      ].join("\n");
      expect(told).not.toContain(KEY);
      expect(told).not.toContain(KEY.slice(0, 20));
      expect(told).not.toContain(base64.slice(0, 60));
    }
  });

  it("keeps the service's words short", async () => {
    const { post } = await outcomes(refusal(400, "word ".repeat(200)));
    expect(post).toMatchObject({ params: { message: "word ".repeat(60) } });
  });

  it("a key that no header can carry is refused before anything is sent", async () => {
    await using server = await serve(json({}));
    for (const key of ["", "two words", "line\nbreak", "schlüssel"]) {
      await using used = client(server.baseUrl, { key });
      await expect(used.api.balance()).rejects.toBeInstanceOf(errors.Unauthorized);
    }
    expect(server.requests).toHaveLength(0);
  });
});

/** The texts of an error and of everything underneath it. */
function chain(error: unknown): string[] {
  return error instanceof Error ? [error.message, error.stack ?? "", ...chain(error.cause)] : [];
}
