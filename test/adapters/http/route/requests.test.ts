import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { endpointEventTypes, newJobSchema } from "../../../../adapters/http/route/requests.ts";
import type { JobBody } from "../../../../adapters/http/resources/job.ts";
import { openGateway, type TestPartner } from "../../../support/gateway.ts";
import { testPicture, testSandbox } from "../../../support/sandbox.ts";

let image: string;
let bytes: Buffer<ArrayBuffer>;

beforeAll(async () => {
  image = await testPicture();
  bytes = Buffer.from(image, "base64");
});

const CAT = { operation: "image", input: { prompt: "a cat" } };

const ids = ({ data }: { data: JobBody[] }) => data.map(({ id }) => id);

/** Asks for a job by a form. */
async function submitForm(partner: TestPartner, fields: Readonly<Record<string, string | Blob>>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return partner.call("/jobs", { method: "POST", body, headers: { "idempotency-key": crypto.randomUUID() } });
}

describe("a request for a job", () => {
  it("may be a form with files, whose text is understood as each field's type", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const answer = await submitForm(acme, {
      operation: "video",
      image: new File([bytes], "photo.jpg", { type: "image/jpeg" }),
      prompt: "slow zoom",
      duration: "4",
      auto_upscale: "false",
      in_app_username: "jo",
      metadata: '{"order":7}',
    });
    expect(answer.status).toBe(202);
    const job = (await answer.json()) as JobBody;
    expect(job).toMatchObject({
      in_app_username: "jo",
      metadata: { order: 7 },
      input: { duration: 4, auto_upscale: false, image: { name: "photo.jpg", bytes: bytes.length } },
    });
    expect((await acme.ended(job.id)).status).toBe("completed");
  });

  it.each([
    ["base64", () => image],
    ["a data URI", () => `data:image/jpeg;base64,${image}`],
  ])("may bring a file as %s", async (_, given) => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted({ operation: "video", input: { image: given(), prompt: "x" } });
    expect((await acme.ended(id)).status).toBe("completed");
    // Nobody needs what was given any more: what is left is the result.
    expect(await gateway.storedFiles()).toBe(1);
  });

  it("tells the service and the ledger whom it is for", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted({
      operation: "video",
      input: { image, prompt: "x" },
      platform: "ios-app",
      in_app_username: "jo",
    });
    await acme.ended(id);
    const { submissions } = await sandbox.ledger();
    expect(submissions).toMatchObject([{ platform: "ios-app", in_app_username: "jo" }]);
    const usage = await acme.call("/usage?by=platform,in_app_username");
    expect(await usage.json()).toMatchObject({
      data: [{ platform: "ios-app", in_app_username: "jo", jobs: 1, successes: 1 }],
    });
  });
});

describe("a repeated request", () => {
  it("makes one job, and gets the first one's answer", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const key = { "idempotency-key": "once" };
    const first = await acme.submit(CAT, key);
    const again = await acme.submit(CAT, key);
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(await again.json()).toEqual(await first.json());
    expect(await (await acme.call("/jobs")).json()).toMatchObject({ data: [{}], next_cursor: null });
  });

  it("is refused without a key, with another body, and while the first one is under way", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const bare = await acme.call("/jobs", { method: "POST", body: JSON.stringify(CAT) });
    expect([bare.status, await bare.json()]).toMatchObject([400, { code: "idempotency_key_missing" }]);
    const key = { "idempotency-key": "once" };
    const both = await Promise.all([acme.submit(CAT, key), acme.submit(CAT, key)]);
    const statuses = both.map(({ status }) => status);
    // The second one came while the first was under way, or after it.
    expect([
      [202, 202],
      [202, 409],
      [409, 202],
    ]).toContainEqual(statuses);
    const other = await acme.submit({ operation: "image", input: { prompt: "a dog" } }, key);
    expect([other.status, await other.json()]).toMatchObject([422, { code: "idempotency_mismatch" }]);
    expect(await (await acme.call("/jobs")).json()).toMatchObject({ data: [{}], next_cursor: null });
  });

  it("is another request with another partner's token", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const [acme, other] = [await gateway.join("acme"), await gateway.join("other")];
    const key = { "idempotency-key": "once" };
    const made = [await acme.accepted(CAT, key), await other.accepted(CAT, key)];
    expect(new Set(ids({ data: made })).size).toBe(2);
  });
});

describe("what is asked for behind an address", () => {
  it.each([
    ["/jobs?limit=", ["0x10", "1e1", "%2010", "10%20", "%2B10", "1.0", "", "true", "101"], "query.limit"],
    ["/deliveries?limit=", ["0x10", "1e1", "%2010"], "query.limit"],
    ["/catalogues/video-templates?limit=", ["0x10", "1e1", "%2010"], "query.limit"],
    ["/jobs/abc/media?index=", ["0x0", "0e0", "%200", "-1"], "query.index"],
    [
      "/jobs?created_after=2026-02-01T00:00:00Z&created_before=",
      ["2026-01-31T23:59:59Z"],
      "query.created_before",
    ],
    ["/usage?since=2026-02-01&until=", ["2026-01-31"], "query.until"],
    ["/usage?by=day&by=", ["operation"], "query.by"],
    ["/budgets?in_app_username=jo&in_app_username=", ["jo"], "query.in_app_username"],
    ["/jobs/abc/media?index=0&index=", ["0"], "query.index"],
  ])("is refused where it is not plain: %s%j", async (address, values, field) => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    for (const value of values) {
      const answer = await acme.call(address + value);
      expect([answer.status, await answer.json()], value).toMatchObject([
        422,
        { code: "field_invalid", errors: [{ field, code: "field_invalid" }] },
      ]);
    }
  });

  it("is taken where it is", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    for (const path of [
      "/jobs?limit=100&created_after=2026-02-01T00:00:00Z&created_before=2026-02-01T00:00:00Z",
      "/usage?since=2026-02-01&until=2026-02-01&by=day,operation",
      "/usage?until=2026-02-01",
    ])
      expect((await acme.call(path)).status, path).toBe(200);
  });
});

describe("a partner's list of jobs", () => {
  it("comes in pages that can be narrowed", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const made = [];
    for (const name of ["jo", "kim", "jo"])
      made.push((await acme.accepted({ ...CAT, in_app_username: name })).id);
    const page = async (query: string) =>
      (await (await acme.call(`/jobs?${query}`)).json()) as { data: JobBody[]; next_cursor: string | null };
    const first = await page("limit=2");
    expect(ids(first)).toEqual(made.slice(1).toReversed());
    const second = await page(`limit=2&cursor=${first.next_cursor}`);
    expect([ids(second), second.next_cursor]).toEqual([made.slice(0, 1), null]);
    for (const path of ["/jobs", "/deliveries", "/catalogues/video-templates"])
      for (const cursor of ["zzz", "", "-1", "%20", "9".repeat(60), "0", "99999"]) {
        const refused = await acme.call(`${path}?cursor=${cursor}`);
        expect(refused.status, `${path} ${cursor}`).toBe(422);
        expect(await refused.json()).toMatchObject({ errors: [{ field: "query.cursor" }] });
      }
    const gone = await acme.call(`/deliveries?cursor=msg_${randomUUID()}`);
    expect(await gone.json()).toMatchObject({
      status: 422,
      detail: expect.stringContaining("`next_cursor` of the page before, or none to begin again"),
    });
    expect(ids(await page("in_app_username=kim"))).toEqual(made.slice(1, 2));
    expect(ids(await page("operation=video"))).toEqual([]);
    expect(ids(await page("created_after=2000-01-01T00:00:00Z"))).toHaveLength(3);
    expect(ids(await page("created_before=2000-01-01T00:00:00Z"))).toEqual([]);
    for (const query of ["=x", "limit=1&=", "__proto__=x"])
      expect((await acme.call(`/jobs?${query}`)).status, query).toBe(422);
    expect(await page("limit=1&limit=3")).toMatchObject({
      status: 422,
      errors: [{ field: "query.limit", code: "field_invalid", detail: expect.stringContaining("one value") }],
    });
    const wrong = await acme.call("/jobs?limit=1000&status=lost&created_after=yesterday");
    expect(wrong.status).toBe(422);
    const { errors } = (await wrong.json()) as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field).toSorted()).toEqual([
      "query.created_after",
      "query.limit",
      "query.status",
    ]);
  });
});

describe("a deleted job", () => {
  it("is gone, with its result and its events", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted(CAT);
    const { media } = await acme.ended(id);
    const answer = await acme.call(`/jobs/${id}`, { method: "DELETE" });
    expect([answer.status, await answer.json()]).toEqual([200, { id, outcome: "deleted" }]);
    expect((await acme.call(`/jobs/${id}`)).status).toBe(404);
    const gone = await fetch(media[0]?.link ?? "");
    expect([gone.status, await gone.json()]).toMatchObject([410, { code: "result_expired" }]);
    expect(await gateway.storedFiles()).toBe(0);
    const usage = await (await acme.call("/usage?format=csv&by=operation")).text();
    expect(usage).toBe(`operation,jobs,successes,tokens,seconds\r\n${usage.split("\r\n")[1]}\r\n`);
    expect(usage).toContain("\r\nimage,1,1,");
  });
});

describe("what can be made", () => {
  it("is listed with the schema of each input, and chosen from catalogues", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { data } = (await (await acme.call("/operations")).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toContain("video");
    const video = await (await acme.call("/operations/video")).json();
    expect(video).toMatchObject({
      input_schema: {
        properties: {
          duration: { type: "integer", minimum: 3, maximum: 8 },
          template: { "x-catalogue": "video-templates" },
          image: { type: "string", "x-file": "picture" },
        },
        required: ["image"],
      },
    });
    const templates = await (await acme.call("/catalogues/video-templates?limit=1")).json();
    expect(templates).toMatchObject({ data: [{ value: expect.any(String), title: expect.any(String) }] });
    expect((await acme.call("/catalogues/nothing")).status).toBe(404);
    const quote = await acme.call("/quotes", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ operation: "vid3", input: { images: [image], prompt: "x", duration: 4 } }),
    });
    expect(await quote.json()).toMatchObject({ tokens: 7.04, basis: "exact", balance: expect.any(Number) });
    expect(await gateway.storedFiles()).toBe(0);
  });
});

it("keeps each event of a webhook once", () => {
  const events = ["job.completed", "job.failed", "job.completed"];
  const once = ["job.completed", "job.failed"];
  expect(endpointEventTypes.parse(events)).toEqual(once);
  const webhook = { url: "https://example.com/", events };
  expect(newJobSchema.parse({ ...CAT, webhook }).webhook).toEqual({ ...webhook, events: once });
});
