import { channel } from "node:diagnostics_channel";
import { expect, it } from "vitest";
import { watchLimits } from "../../../../src/domain/alerts/watchers/limits.ts";
import type { RequestTrace } from "../../../../src/infrastructure/queue/request-trace.ts";

const tell = (outcome: RequestTrace["outcome"]) => {
  const told: RequestTrace = { group: "video", background: false, waitedMs: 0, tookMs: 1, outcome };
  channel("reelay:request").publish(told);
};

it("a limit was met where the service says so, since the last look; no free slot is none", async () => {
  const watcher = watchLimits();
  const look = () => watcher.look(new AbortController().signal);
  tell("answered");
  tell("no_free_slot");
  expect(await look()).toEqual([]);
  tell("rate_limited");
  expect(await look()).toEqual([{ kind: "limit_met", params: { group: "video" } }]);
  expect(await look()).toEqual([]);
  watcher.close?.();
  tell("rate_limited");
  expect(await look()).toEqual([]);
});
