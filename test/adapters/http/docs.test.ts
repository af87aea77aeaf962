import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { STATUS_OF } from "../../../adapters/http/access/status.ts";
import type { OpenApi } from "../../../adapters/http/openapi/model.ts";
import { launchBrowser, withoutBrowser } from "../../support/browser.ts";
import { openGateway, type TestGateway } from "../../support/gateway.ts";
import { testSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

let sandbox: TestSandbox;
let gateway: TestGateway;
let document: OpenApi;

beforeAll(async () => {
  sandbox = await testSandbox();
  gateway = await openGateway(sandbox);
  document = (await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as OpenApi;
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

/** Calls as they are shown, by what makes them: the words of the document, and the samples beside each route. */
const codeOf = (text: string) => /```sh\n([^]*?)```/.exec(text)?.[1] ?? "";

describe("the page", () => {
  it("leads to the document where no script runs", async () => {
    const page = await (await fetch(`${gateway.url}/v1/docs`)).text();
    const [, spoken = ""] = page.split("<noscript>");
    expect(spoken).toContain('href="openapi.json"');
  });

  it("is let run its own script alone, and ask nobody but Reelay", async () => {
    const { headers } = await fetch(`${gateway.url}/v1/docs`);
    const policy = (headers.get("content-security-policy") ?? "").split("; ");
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'"]));
    expect(policy).toEqual(expect.arrayContaining(["connect-src 'self'", "frame-ancestors 'none'"]));
    expect(policy.join()).not.toMatch(/eval|https?:|\*/);
  });

  it("loads what it consists of compressed, and once", async () => {
    const page = await (await fetch(`${gateway.url}/v1/docs`)).text();
    const [, script = ""] = /src="\.\/(docs\/[^"]+)"/.exec(page) ?? [];
    const answer = await fetch(`${gateway.url}/v1/${script}`, { headers: { "accept-encoding": "br" } });
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(answer.headers.get("cache-control")).toContain("immutable");
    // Their licences ask for it.
    expect((await answer.text()).includes("Redocly LLC, all rights reserved.")).toBe(true);
    const { status } = await fetch(`${gateway.url}/v1/docs/of-no-page.js`);
    expect(status).toBe(404);
  });

  it("shows first calls that work when they are pasted", async () => {
    const { token } = await gateway.join();
    const command = codeOf(document.info.description)
      .replace(/export .*/, "")
      .split("#", 1)
      .join();
    const env = { ...process.env, REELAY_URL: gateway.url, REELAY_TOKEN: token };
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { env });
    expect(JSON.parse(stdout)).toMatchObject({ object: "job", status: "queued" });
  });

  it("shows a call of each route that a shell understands", async () => {
    const samples = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation) => operation["x-codeSamples"].map(({ source }) => source));
    expect(samples.length).toBeGreaterThan(20);
    for (const sample of samples) {
      expect(sample).not.toMatch(/undefined|\[object|\{\{/);
      await promisify(execFile)("sh", ["-nc", sample]);
    }
  });
});

describe("what models read", () => {
  it("is the reference as Markdown: every call and message, and how to begin", async () => {
    const answer = await fetch(`${gateway.url}/v1/docs.md`);
    expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    const text = await answer.text();
    expect(text).toMatch(/^# Reelay \d/);
    expect(text).toContain("## First steps");
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { summary }] of Object.entries(methods))
        expect(text).toContain(`### ${summary}\n\n\`${method.toUpperCase()} /v1${path}\``);
    for (const type of Object.keys(document.webhooks)) expect(text).toContain(`## Message \`${type}\``);
    expect(text).not.toMatch(/undefined|\[object /);
    const examples = [...text.matchAll(/^```json\n([^]*?)\n```$/gm)].map(([, json = ""]) => json);
    expect(examples.length).toBeGreaterThan(20);
    for (const example of examples) expect(JSON.parse(example)).toBeDefined();
  });

  it("is led to by llms.txt, by addresses that answer", async () => {
    const answer = await fetch(`${gateway.url}/llms.txt`);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    const addresses = [...(await answer.text()).matchAll(/\]\((.*?)\)/g)].map(([, address = ""]) => address);
    expect(addresses).toHaveLength(4);
    const found = await Promise.all(addresses.map((address) => fetch(address)));
    expect(found.map(({ status }) => status)).toEqual([200, 200, 401, 200]);
  });
});

const heading = (page: Page, name: string) => page.getByRole("heading", { name }).first();

/** Where each entry of the menu leads that is there by now. */
const menuOf = async (page: Page) =>
  new Map(
    await page
      .getByRole("link")
      .evaluateAll((links) =>
        links.map((link) => [link.textContent ?? "", link.getAttribute("href") ?? ""] as const),
      ),
  );

describe.skipIf(withoutBrowser())("the page in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** Opens the page at an address of its own, and notes what is complained of and what is asked for. */
  async function open(hash: string, options: object = {}) {
    const page = await browser.newPage(options);
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on("console", (message) => message.type() !== "info" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${gateway.url}/v1/docs${hash}`);
    return { page, complaints, asked };
  }

  it.each([
    [375, "light"],
    [1024, "dark"],
    [1440, "light"],
  ] as const)(
    "fits %i pixels, asks nobody but Reelay, and a browser finds nothing to complain of",
    async (width, colorScheme) => {
      const { page, complaints, asked } = await open("#/jobs/createjob", {
        viewport: { width, height: 800 },
        colorScheme,
      });
      await heading(page, "Make something").waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      const ink = await page.evaluate("getComputedStyle(document.querySelector('h2')).color");
      const red = Number(/\d+/.exec(String(ink))?.[0]);
      expect(red < 128).toBe(colorScheme === "light");
      expect(complaints).toEqual([]);
      const foreign = asked.filter((url) => !/^(?:data|blob):/.test(url) && !url.startsWith(gateway.url));
      expect(foreign).toEqual([]);
      await page.close();
    },
  );

  it("lists every route, every message and every problem under its heading", async () => {
    const { page, complaints } = await open("", { viewport: { width: 1440, height: 800 } });
    await heading(page, "First steps").waitFor();
    const called = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const messages = Object.values(document.webhooks).map(({ post }) => post);
    const titles = Map.groupBy([...called, ...messages], ({ tags: [tag] }) => tag);
    for (const { name } of document.tags) {
      await page.getByRole("link", { name, exact: true }).last().click();
      const listed = titles.get(name)?.map(({ summary }) => summary) ?? Object.keys(STATUS_OF);
      await vi.waitUntil(async () => {
        const menu = [...(await menuOf(page)).keys()];
        return listed.every((title) => menu.some((entry) => entry.startsWith(title)));
      }, PATIENCE_MS);
    }
    const menu = await menuOf(page);
    for (const code of Object.keys(STATUS_OF)) expect(menu.get(code)).toBe(`#/problems/${code}`);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("shows every operation as a choice", async () => {
    const { page } = await open("#/jobs/createjob", { viewport: { width: 1440, height: 800 } });
    await heading(page, "Make something").waitFor();
    await page.getByText("Photo to video").last().click();
    const examples = document.paths["/jobs"]?.["post"]?.requestBody?.content["application/json"]?.examples;
    const titles = Object.values(examples ?? {}).flatMap((one) => ("summary" in one ? [one.summary] : []));
    await expect
      .poll(async () => (await page.locator("body").innerText()).split("\n"))
      .toEqual(expect.arrayContaining(titles));
    await page.close();
  });

  it("leads from the type of a problem to what is said of it", async () => {
    const { page, complaints } = await open("#partner_cap", { viewport: { width: 1440, height: 800 } });
    for (const code of ["partner_cap", "internal", "field_invalid"]) {
      await page.evaluate(`location.hash = ${JSON.stringify(code)}`);
      await heading(page, code).waitFor();
      await expect.poll(() => page.url()).toMatch(new RegExp(`#/problems/${code}$`));
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
});
