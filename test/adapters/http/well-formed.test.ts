import { expect, it } from "vitest";
import { type JobBody, jobBody } from "../../../adapters/http/resources/job.ts";
import { type JobRecord, NO_OUTLOOK } from "../../../src/seam/access/job-record.ts";
import { openGateway } from "../../support/gateway.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";

/** Half a character, as an escape of JSON: strict readers refuse the whole answer for it. */
const HALF = /\\ud[89a-f][0-9a-f]{2}/i;

it("answers with whole characters, however long a file's name is and whatever a program sends along", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  const acme = await gateway.join();
  const form = new FormData();
  const fields = {
    operation: "video",
    prompt: "slow zoom",
    metadata: '{"a\\ud83d":["b\\udc7b",{"c":"👻"}]}',
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const bytes = Buffer.from(await testPicture(), "base64");
  form.append("image", new File([bytes], `${"a".repeat(199)}👻.jpg`, { type: "image/jpeg" }));
  const headers = { "idempotency-key": crypto.randomUUID() };
  const answer = await acme.call("/jobs", { method: "POST", body: form, headers });
  const text = await answer.text();
  expect([answer.status, HALF.exec(text)]).toEqual([202, null]);
  const job = JSON.parse(text) as JobBody;
  expect(job.metadata).toEqual({ "a\ufffd": ["b\ufffd", { c: "👻" }] });
  expect(job.input["image"]).toMatchObject({ name: "a".repeat(199) });
  await acme.ended(job.id);
  expect(await (await acme.call("/jobs")).text()).not.toMatch(HALF);
});

it("tells of a job that was kept before that was so, and its amount as it is meant", async () => {
  const record: JobRecord = {
    ...NO_OUTLOOK,
    id: "one",
    user: "http:acme",
    operation: "video",
    values: { image: { surface: "http", id: "f00", name: "a\ud83d" }, prompt: "b\udc7b" },
    tags: { platform: "acme", inAppUsername: "jo" },
    mature: false,
    address: { user: "http:acme", base: "https://reelay.example", metadata: { "c\ud83d": ["d\ud83d"] } },
    receipt: null,
    status: "completed",
    phase: "completed",
    progress: 100,
    cost: 0.400_000_000_000_000_7,
    problem: null,
    createdAt: 0,
    acceptedAt: 0,
    endedAt: 1,
  };
  const body = await jobBody(record, { makeLink: async () => "", mode: "live" }, "en");
  expect(JSON.stringify(body)).not.toMatch(HALF);
  expect(body).toMatchObject({
    input: { image: { name: "a\ufffd" }, prompt: "b\ufffd" },
    metadata: { "c\ufffd": ["d\ufffd"] },
    cost: 0.4,
  });
});

it("says what is wrong in whole characters, too", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox, { fetch });
  const acme = await gateway.join();
  const post = async (path: string, body: string) => {
    const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
    const answer = await acme.call(path, { method: "POST", headers, body });
    return [answer.status, await answer.text()] as const;
  };
  for (const [path, body] of [
    ["/jobs", '{"operation":"image","input":{"prompt":"a cat","x\\ud83d":1}}'],
    ["/jobs", '{"operation":"image","input":{"prompt":"a cat"},"x\\ud83d":1}'],
    ["/jobs", '{"operation":"imag\\ud83d","input":{}}'],
    ["/webhooks", '{"url":"https://example.com/\\ud83d","x\\udc7b":1}'],
  ] as const) {
    const [status, text] = await post(path, body);
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(text).not.toMatch(HALF);
  }
});
