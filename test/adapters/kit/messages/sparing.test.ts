import { expect, it } from "vitest";
import { tellSparingly } from "../../../../adapters/kit/messages/sparing.ts";
import { translator } from "../../../../src/common/i18n.ts";
import type { ProgressView } from "../../../../src/seam/views.ts";

const view: ProgressView = {
  kind: "progress",
  job: { id: "job", operation: "video", values: {}, createdAt: 0 },
  phase: "running",
};

it("waits for no line about a job: its result comes after what is waited for", async () => {
  const lines: string[] = [];
  const say = (_begun: unknown, news: string) => {
    lines.push(news);
    return new Promise<string>(() => {});
  };
  const parts = { show: () => {}, say, onFailure: () => {} };
  const told = await tellSparingly(translator("en"), {}, view, parts);
  expect(told).toEqual({ told: ["running"] });
  await tellSparingly(translator("en"), told, view, parts);
  expect(lines).toEqual(["running"]);
});

const closed = () => Promise.reject(new Error("It is closed."));

it("hears that a line was not shown, which is no failure", async () => {
  const failures: unknown[] = [];
  const parts = { show: undefined, say: closed, onFailure: (error: unknown) => failures.push(error) };
  await expect(tellSparingly(translator("en"), {}, view, parts)).resolves.toEqual({ told: ["running"] });
  expect(failures).toHaveLength(1);
});
