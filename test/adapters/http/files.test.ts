import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProblemBody } from "../../../adapters/http/resources/problem.ts";
import { blackPng } from "../../infrastructure/media/support/bombs.ts";
import { openGateway, type TestGateway, type TestPartner } from "../../support/gateway.ts";
import { testPicture, type TestSandbox, testSandbox } from "../../support/sandbox.ts";
import { connectTo } from "./mcp/harness.ts";
import { problemOf } from "./mcp/results.ts";

let sandbox: TestSandbox;
let gateway: TestGateway;
let acme: TestPartner;
let image: string;

beforeAll(async () => {
  image = await testPicture();
  sandbox = await testSandbox();
  gateway = await openGateway(sandbox);
  acme = await gateway.join();
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox.stop();
});

const base64 = (bytes: Buffer | string) => Buffer.from(bytes as string, "latin1").toString("base64");
const bomb = blackPng(1, 1_000_000).toString("base64");
const pdf = base64("%PDF-1.7\n1 0 obj<<>>endobj");
const broken = () => Buffer.from(image, "base64").subarray(0, 900).toString("base64");

/** What a request is refused with, at once. */
async function refusal(path: string, body: object): Promise<ProblemBody> {
  const answer = await acme.call(path, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(422);
  return (await answer.json()) as ProblemBody;
}

const wrongIn = (problem: ProblemBody) =>
  Object.fromEntries((problem.errors ?? []).map(({ field, code }) => [field, code]));

describe.each(["/jobs", "/quotes"])("%s", (path) => {
  it("says what the sides of a picture may be, not that it is too large where it is too long", async () => {
    const long = blackPng(20_000, 1).toString("base64");
    const { detail } = await refusal(path, { operation: "video", input: { image: long, prompt: "x" } });
    expect(detail).toContain("20,000 × 1 pixels");
    expect(detail).toContain("one side at most 20 times as long as the other");
    expect(detail).not.toContain("smaller");
  });

  it.each([
    ["a bomb", bomb, "media_dimensions"],
    ["a picture that breaks off", broken, "media_unreadable"],
    ["a document", pdf, "media_type"],
    ["a video", base64("\0\0\0\x18ftypisom\0\0\0\0isomiso2"), "media_type"],
    ["an address of this machine", "https://127.0.0.2/photo.jpg", "url_refused"],
    ["the same, as a name", "https://localhost/photo.jpg", "url_refused"],
    ["an address of the cloud's own", "https://169.254.169.254/latest/meta-data", "url_refused"],
    ["an address of a network", "https://10.1.2.3/photo.jpg", "url_refused"],
    ["the same, spelled otherwise", "https://0x0a010203/photo.jpg", "url_refused"],
    ["an address of this machine in IPv6", "https://[::1]/photo.jpg", "url_refused"],
    ["an address that is not encrypted", "http://example.com/photo.jpg", "url_refused"],
  ])("refuses %s with the field's name", async (_, given, code) => {
    const input = { image: typeof given === "string" ? given : given(), prompt: "x" };
    expect(wrongIn(await refusal(path, { operation: "video", input }))).toEqual({ "input.image": code });
  });

  it("names every field that is wrong", async () => {
    const input = { target: bomb, source: pdf };
    expect(wrongIn(await refusal(path, { operation: "faceswap", input }))).toEqual({
      "input.target": "media_dimensions",
      "input.source": "media_type",
    });
  });

  it("refuses sounds that are none", async () => {
    const input = { images: [image], audios: [pdf], prompt: "x" };
    expect(wrongIn(await refusal(path, { operation: "vid3", input }))).toEqual({
      "input.audios": "sound_type",
    });
  });

  it("refuses a mask that marks nothing", async () => {
    const input = { image, mask: blackPng(64, 64).toString("base64"), prompt: "x" };
    expect(wrongIn(await refusal(path, { operation: "inpaint", input }))).toEqual({
      "input.mask": "mask_empty",
    });
  });
});

describe("files of programs", () => {
  it("that are refused are not kept", async () => {
    const before = await gateway.storedFiles();
    await refusal("/jobs", { operation: "video", input: { image: bomb, prompt: "x" } });
    expect(await gateway.storedFiles()).toBe(before);
  });

  it("may be HEIC", async () => {
    const heic = await readFile(new URL("../../fixtures/turned.heic", import.meta.url), "base64");
    const { id } = await acme.accepted({ operation: "video", input: { image: heic, prompt: "x" } });
    expect(await acme.ended(id)).toMatchObject({ status: "completed" });
  });

  it("are told to agents as they are told to programs", async () => {
    const client = await connectTo(gateway.url, acme.token);
    const asked = { operation: "video", input: { image: bomb, prompt: "x" }, idempotency_key: "one" };
    const answer = await client.callTool({ name: "make", arguments: asked });
    await client.close();
    expect(problemOf(answer).errors).toMatchObject([{ field: "input.image", code: "media_dimensions" }]);
  });
});
