import type { RequestListener } from "node:http";
import { afterEach, expect, it, vi } from "vitest";
import { Moderator } from "../../../../src/domain/policy/moderation/moderator.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { json } from "../../../infrastructure/api/server.ts";
import { openModeration } from "../../../support/moderation.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

afterEach(() => void vi.useRealTimers());

it("a moderator is no outage where it answers, but not so much at once: nobody gets past it in a crowd", async () => {
  const flagged = json({ results: [{ flagged: true, categories: { violence: true } }] });
  const isFull = Promise.withResolvers<void>();
  let count = 0;
  // By the deadline it has answered half of them, and has four more, which are as many as it gets at once.
  const answerHalf: RequestListener = (...exchange) => {
    count += 1;
    if (count <= 20) flagged(...exchange);
    if (count === 24) isFull.resolve();
  };
  await using endpoint = await openModeration({
    first: Array.from({ length: 40 }, () => answerHalf),
    settings: { timeoutMs: 2_000 },
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  const log = makeLogger({ level: "silent" });
  const moderator = new Moderator(endpoint.settings, { log, scratch: temporaryFolder() });
  const crowd = Array.from({ length: 40 }, () => moderator.examine({ text: "a dragon", pictures: [] }));
  await isFull.promise;
  vi.advanceTimersByTime(2_000);
  const kinds = (await Promise.all(crowd)).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["flagged", "busy"]));
});
