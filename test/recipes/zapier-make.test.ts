import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { JobBody } from "../../adapters/http/resources/job.ts";
import { answer, serve } from "../infrastructure/api/server.ts";
import { openGateway } from "../support/gateway.ts";
import { testPicture, testSandbox } from "../support/sandbox.ts";
import { receiver } from "../domain/webhooks/harness.ts";
import { recipe } from "./recipe.ts";

let callback: string;
beforeAll(async () => {
  const page = await readFile(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
  callback = block(page, "json callback");
});

/** The block of a page after ``` and these words. */
function block(page: string, words: string): string {
  const [, indent = "", text] = new RegExp(`^( *)\`\`\`${words}\n(.*?)\n *\`\`\`$`, "ms").exec(page) ?? [];
  if (text === undefined) throw new Error(`The page has no block "${words}".`);
  return text.replaceAll(new RegExp(`^${indent}`, "gm"), "");
}

/** What kind of value stands where. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
  if (typeof value !== "string") return value === null ? null : typeof value;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return "time";
  return URL.canParse(value) ? "address" : "text";
}

const asJson = (text: string): RequestInit => ({
  headers: { "content-type": "application/json" },
  body: text,
});

function asForm(text: string): RequestInit {
  const body = new FormData();
  for (const line of text.split("\n")) {
    const [name = "", ...value] = line.split(": ");
    body.set(name, value.join(": "));
  }
  return { body };
}

describe.each([
  { name: "zapier.md", words: "json request", sent: asJson },
  { name: "make.md", words: "text form", sent: asForm },
])("the walkthrough $name", ({ name, words, sent }) => {
  it("asks with what it says, and is told what it says", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const picture = Buffer.from(await testPicture(), "base64");
    await using photos = await serve(answer(200, picture, { "content-type": "image/jpeg" }));
    await using hook = await receiver();
    const acme = await gateway.join();
    const request = block(await readFile(recipe(name), "utf8"), words)
      .replace("https://example.com/photo.jpg", `${photos.origin}/photo.jpg`)
      .replace("https://example.com/hook", hook.url);
    const { headers, body = null } = sent(request);
    const asked = await acme.call("/jobs", {
      method: "POST",
      headers: { ...(headers as Record<string, string>), "idempotency-key": "row-4711" },
      body,
    });
    expect(asked.status).toBe(202);

    await hook.atLeast(1);
    const promised = JSON.parse(callback) as { type: string; data: JobBody };
    const told = JSON.parse(hook.arrived[0]?.body ?? "") as typeof promised;
    expect(shapeOf(told)).toEqual(shapeOf(promised));
    const { operation, status, phase, in_app_username, metadata } = promised.data;
    expect(told).toMatchObject({
      type: promised.type,
      data: { operation, status, phase, in_app_username, metadata },
    });
    // The second step reads the job again, and gets the same.
    const read = await acme.call(`/jobs/${told.data.id}`);
    expect(shapeOf(await read.json())).toEqual(shapeOf(promised.data));
  });
});
