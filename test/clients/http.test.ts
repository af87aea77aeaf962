import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type NewJob,
  Reelay,
  Refused,
  TooMany,
  Unavailable,
  Unreachable,
} from "../../clients/typescript/src/index.ts";

const CAT = { operation: "image", input: { prompt: "a cat" } } as const satisfies NewJob;

/** A client whose requests are answered one after another; the last answer stays. */
function clientOf(...answers: readonly (Response | Error)[]) {
  const sent: Request[] = [];
  const answer = async (...request: Parameters<typeof fetch>) => {
    const next = answers[Math.min(sent.length, answers.length - 1)];
    sent.push(new Request(...request));
    if (!(next instanceof Response)) throw next;
    return next.clone();
  };
  return { sent, reelay: new Reelay({ url: "http://reelay.example", token: "t", fetch: answer }) };
}

const refusal = (status: number, problem: object, headers: Record<string, string> = {}) =>
  Response.json(problem, { status, headers });

const broken = new TypeError("fetch failed");
const job = () => Response.json({ id: "1" });

/** What becomes of a call while time goes on; what was thrown, if something was. */
async function settled<T>(call: Promise<T>): Promise<unknown> {
  const outcome = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return outcome;
}

describe("a request of the client", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is sent again where the line broke, and under the same key", async () => {
    const { reelay, sent } = clientOf(broken, broken, job());
    expect(await settled(reelay.create(CAT))).toEqual({ id: "1" });
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it("is sent again as soon as it was told to, and no sooner", async () => {
    const { reelay, sent } = clientOf(refusal(429, { retryable: true }, { "retry-after": "7" }), job());
    const begun = Date.now();
    expect(await settled(reelay.read("1"))).toEqual({ id: "1" });
    expect(sent).toHaveLength(2);
    expect(Date.now() - begun).toBe(7_000);
  });

  it("waits for no tomorrow: a daily cap is thrown at once", async () => {
    const cap = refusal(429, { retryable: true, code: "partner_cap" }, { "retry-after": "50400" });
    const { reelay, sent } = clientOf(cap);
    const error = await settled(reelay.create(CAT));
    expect(error).toBeInstanceOf(TooMany);
    expect(error).toMatchObject({ code: "partner_cap", retryAfter: 50_400 });
    expect(sent).toHaveLength(1);
  });

  it("is given up after as many times as were wanted, with what was said last", async () => {
    const { reelay, sent } = clientOf(broken);
    const error = await settled(reelay.read("1"));
    expect(error).toBeInstanceOf(Unreachable);
    expect(error).toMatchObject({ cause: broken });
    expect(sent).toHaveLength(6);
  });

  it("is sent once where repeating it is not safe, or cannot help", async () => {
    const gone = clientOf(broken);
    expect(await settled(gone.reelay.remove("1"))).toBeInstanceOf(Unreachable);
    expect(gone.sent).toHaveLength(1);
    const down = clientOf(refusal(503, { retryable: false }));
    expect(await settled(down.reelay.read("1"))).toBeInstanceOf(Unavailable);
    expect(down.sent).toHaveLength(1);
  });

  it("ends with its signal, also while it waits to be sent again", async () => {
    const { reelay, sent } = clientOf(broken);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 100);
    expect(await settled(reelay.read("1", { signal: stop.signal }))).toMatchObject({ message: "enough" });
    expect(sent).toHaveLength(1);
  });

  it.each([
    [400, "Invalid"],
    [401, "NotAllowed"],
    [402, "Refused"],
    [403, "NotAllowed"],
    [404, "NotFound"],
    [409, "Conflict"],
    [410, "NotFound"],
    [422, "Invalid"],
    [429, "TooMany"],
    [500, "Unavailable"],
    [502, "Unavailable"],
  ])(
    "is refused with %i by the class %s, also by what stands between and is no JSON",
    async (status, name) => {
      const { reelay } = clientOf(new Response("<html>", { status }));
      const error = await settled(reelay.read("1"));
      expect(error).toBeInstanceOf(Refused);
      expect(error).toMatchObject({
        name,
        status,
        code: "unknown",
        message: `Refused with status ${status}.`,
      });
    },
  );

  it("takes a link to a file without a token: it may lead elsewhere", async () => {
    const { reelay, sent } = clientOf(new Response("film"));
    await settled(reelay.download({ link: "https://files.example/a" }));
    expect(sent[0]?.headers.get("authorization")).toBeNull();
    await settled(reelay.list({ limit: 2 }));
    expect(sent[1]?.headers.get("authorization")).toBe("Bearer t");
    expect(sent[1]?.url).toBe("http://reelay.example/v1/jobs?limit=2");
  });
});

it("does not compile with a field that an operation has not", () => {
  const jobs: readonly NewJob[] = [
    { operation: "video", input: { image: new Blob([]), prompt: "zoom", duration: 5 }, metadata: { a: 1 } },
    // @ts-expect-error there is no such field
    { operation: "video", input: { image: "x", prompt: "zoom", durationn: 5 } },
    // @ts-expect-error there is no such operation
    { operation: "vidoe", input: { image: "x", prompt: "zoom" } },
    // @ts-expect-error neither words nor a template
    { operation: "video", input: { image: "x" } },
    // @ts-expect-error nothing like this stands beside it
    { operation: "image", input: { prompt: "zoom" }, webhok: "https://example.com" },
  ];
  expect(jobs).toHaveLength(5);
});
