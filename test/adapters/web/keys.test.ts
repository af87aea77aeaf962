import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createWebSurface } from "../../../adapters/web/surface.ts";
import type { MakeSurface } from "../../../src/app/open-server.ts";
import { readConfig } from "../../../src/app/config.ts";
import { openAdapter } from "../../support/adapter.ts";
import { drawn, KEY_SHAPES } from "../../support/keys.ts";
import { contentsOf, holding } from "../../support/leaks.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import { PHOTO } from "./support/client.ts";

const HEADERS = {
  "content-type": "application/json",
  origin: "http://127.0.0.1",
  host: "127.0.0.1",
  "sec-fetch-site": "same-origin",
};

const make: MakeSurface = (host, _forPartners, forOperators) => createWebSurface(host, forOperators);

describe("a key among the page's words", () => {
  it.each([
    ["is connected where nobody pays yet", false, true],
    ["changes nothing about who pays where somebody does", true, false],
  ])("that works %s", async (_case, paid, connects) => {
    await using sandbox = await testSandbox();
    const config = readConfig({
      REELAY_API_URL: sandbox.url,
      REELAY_DATA: temporaryFolder(),
      REELAY_SECRET: "a secret for tests only",
      REELAY_LOG_LEVEL: "silent",
    });
    const page = await openAdapter(config, sandbox, { paid, make });
    try {
      const body = JSON.stringify({ values: { prompt: `my key is ${sandbox.keys.pro}` } });
      const request = { method: "POST", headers: HEADERS, body };
      // What was said while it was typed is what becomes of it.
      await page.vault.known.remember(sandbox.keys.pro);
      const quoted = await page.routes.request("http://127.0.0.1/web/quote/image", request);
      const params = { field: "prompt", ...(connects && { connects: 1 }) };
      expect(await quoted.json()).toEqual({ code: "key_in_words", field: "prompt", params });
      const answer = await page.routes.request("http://127.0.0.1/web/command/image", request);
      expect(await answer.json()).toMatchObject({ code: "key_in_words" });
      const kept = (await contentsOf(config.data)).join();
      expect([kept.includes("connect.done"), kept.includes("keys.left_out")]).toEqual([connects, !connects]);
    } finally {
      await page.stop();
    }
  });

  it("is checked as a key instead, and is in no file and no answer", async () => {
    await using sandbox = await testSandbox();
    const config = readConfig({
      REELAY_API_URL: sandbox.url,
      REELAY_DATA: temporaryFolder(),
      REELAY_SECRET: "a secret for tests only",
      REELAY_LOG_LEVEL: "debug",
    });
    const page = await openAdapter(config, sandbox, { paid: false, make });
    try {
      const post = async (path: string, body: object) => {
        const request = { method: "POST", headers: HEADERS, body: JSON.stringify(body) };
        const answer = await page.routes.request(`http://127.0.0.1/web${path}`, request);
        return { status: answer.status, text: await answer.text() };
      };
      const unknown = KEY_SHAPES["base62, 40"]?.(drawn("page")) ?? "";
      const refusals = [
        await post("/quote/image", { values: { prompt: `a cat ${unknown}` } }),
        await post("/command/image", { values: { prompt: `a cat ${unknown}` } }),
        await post("/suggest/image/model", { partial: unknown, values: { prompt: unknown } }),
        await post("/command/image", { values: { prompt: `a cat ${sandbox.keys.pro}` } }),
      ];
      for (const { status, text } of refusals) {
        expect(status, text).toBe(400);
        expect(JSON.parse(text)).toMatchObject({ code: "key_in_words" });
        expect(holding(unknown, [text])).toEqual([]);
      }
      expect((await post("/quote/image", { values: { prompt: "a cat" } })).status).toBe(200);
      const kept = await contentsOf(config.data);
      expect(holding(unknown, [...kept, ...(await contentsOf(sandbox.dir)), ...page.lines])).toEqual([]);
      expect(holding(sandbox.keys.pro, [...kept, ...page.lines])).toEqual([]);
    } finally {
      await page.stop();
    }
  });
});

describe("a key as a picture's name", () => {
  it.each([
    ["that is known", (stored: string) => `${stored}.jpg`],
    ["that looks like one", () => KEY_SHAPES["base62, 40"]?.(drawn("page")) ?? ""],
  ])("%s is refused when the picture comes, and kept nowhere", async (_case, nameOf) => {
    await using sandbox = await testSandbox();
    const config = readConfig({
      REELAY_API_URL: sandbox.url,
      REELAY_DATA: temporaryFolder(),
      REELAY_SECRET: "a secret for tests only",
      REELAY_LOG_LEVEL: "debug",
    });
    const page = await openAdapter(config, sandbox, { paid: false, make });
    try {
      await page.vault.known.remember(sandbox.keys.pro);
      const name = nameOf(sandbox.keys.pro);
      const headers = { ...HEADERS, "content-type": "image/jpeg", "x-file-name": name };
      const request = { method: "POST", headers, body: await readFile(PHOTO) };
      const answer = await page.routes.request("http://127.0.0.1/web/media", request);
      expect([answer.status, await answer.json()]).toEqual([400, { code: "key_in_name", params: {} }]);
      const body = JSON.stringify({ address: `https://pictures.example/${name}` });
      const from = { method: "POST", headers: HEADERS, body };
      const other = await page.routes.request("http://127.0.0.1/web/media/from", from);
      expect([other.status, await other.json()]).toEqual([400, { code: "key_in_name", params: {} }]);
      expect(holding(name, [...(await contentsOf(config.data)), ...page.lines])).toEqual([]);
    } finally {
      await page.stop();
    }
  });
});
