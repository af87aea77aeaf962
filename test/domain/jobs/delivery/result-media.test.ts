import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { expect, it, vi } from "vitest";
import type { Accounts } from "../../../../src/domain/accounts/accounts.ts";
import { mediaOf } from "../../../../src/domain/jobs/delivery/result-media.ts";
import { aJob } from "../../../support/job.ts";
import { tinyClip } from "../../../support/sandbox.ts";

const download = vi.fn<(url: string, options: object) => Promise<object>>(async () => ({
  stream: createReadStream(tinyClip()),
  type: "video/mp4",
}));
const accounts = { of: async () => ({ api: () => ({ download }) }) } as unknown as Accounts;

it("names the first file of a job by the job, and each further one by its number, too", () => {
  const files = mediaOf(aJob({ id: "j1", result: ["/a", "/b", "/c"] }), accounts);
  expect(files.map(({ kind, name }) => [kind, name])).toEqual([
    ["video", "video-j1"],
    ["video", "video-j1-2"],
    ["video", "video-j1-3"],
  ]);
  expect(mediaOf(aJob(), accounts)).toEqual([]);
});

it("opens each file where it is, until whoever wants it gives up", async () => {
  const [, second] = mediaOf(aJob({ result: ["/a", "/b"] }), accounts);
  const { signal } = new AbortController();
  const opened = await second?.open(signal);
  expect(download).toHaveBeenCalledExactlyOnceWith("/b", { signal });
  if (opened) await buffer(opened.stream);
});
