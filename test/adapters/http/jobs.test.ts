import { describe, expect, it } from "vitest";
import type { JobBody } from "../../../adapters/http/resources/job.ts";
import { openGateway } from "../../support/gateway.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";

const policyOf = ({ status, headers }: Response) => [
  status,
  headers.get("cross-origin-resource-policy"),
  headers.get("x-content-type-options"),
  headers.get("content-type"),
];

describe("a partner's job", () => {
  it("is accepted at once, made, and its result downloaded: with the token, and by its link", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("Acme Inc.");
    const image = await testPicture();
    const answer = await acme.submit({
      operation: "video",
      input: { image, prompt: "slow zoom" },
      in_app_username: "jo",
      metadata: { order: 7 },
    });
    expect(answer.status).toBe(202);
    const job = (await answer.json()) as JobBody;
    expect(answer.headers.get("location")).toBe(`/v1/jobs/${job.id}`);
    expect(job).toMatchObject({
      object: "job",
      status: "queued",
      in_app_username: "jo",
      platform: "acme-inc",
      metadata: { order: 7 },
      media: [],
      error: null,
    });
    const ended = await acme.ended(job.id);
    expect(ended).toMatchObject({ status: "completed", progress: 100, cost: expect.any(Number) });
    const [file] = ended.media;
    if (!file) throw new Error("There is no result.");
    expect(file).toMatchObject({ kind: "video", type: "video/mp4" });
    const whole = await acme.call(`/jobs/${job.id}/media`);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(bytes.length).toBe(file.bytes);
    const linked = await fetch(file.link);
    expect(Buffer.from(await linked.arrayBuffer())).toEqual(bytes);
    const part = await acme.call(`/jobs/${job.id}/media`, { headers: { range: "bytes=4-7" } });
    expect([part.status, Buffer.from(await part.arrayBuffer()).toString()]).toEqual([206, "ftyp"]);
  });

  it("has a link that pages anywhere may show, and nothing else that they may", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted({ operation: "image", input: { prompt: "a cat" } });
    const [file] = (await acme.ended(id)).media;
    const link = file?.link ?? "";
    expect(policyOf(await fetch(link))).toEqual([200, "cross-origin", "nosniff", file?.type]);
    const part = await fetch(link, { headers: { range: "bytes=0-3" } });
    expect(policyOf(part)).toEqual([206, "cross-origin", "nosniff", file?.type]);
    const own = await acme.call(`/jobs/${id}/media`);
    expect(policyOf(own)).toEqual([200, "same-origin", "nosniff", file?.type]);
    expect(policyOf(await acme.call(`/jobs/${id}`)).slice(0, 2)).toEqual([200, "same-origin"]);
    expect(policyOf(await fetch(`${link}x`)).slice(0, 2)).toEqual([404, "same-origin"]);
  });
});
