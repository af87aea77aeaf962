import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { docsPage } from "../../../adapters/http/docs/page.ts";
import { STATUS_OF } from "../../../adapters/http/access/status.ts";
import type { OpenApi } from "../../../adapters/http/openapi/model.ts";
import { launchBrowser, withoutBrowser } from "../../support/browser.ts";
import { openGateway, type TestGateway } from "../../support/gateway.ts";
import { testSandbox, type TestSandbox } from "../../support/sandbox.ts";

// Watched, and otherwise as it is.
vi.mock(import("../../../adapters/http/docs/page.ts"), { spy: true });

let sandbox: TestSandbox;
let gateway: TestGateway;
let page: string;
let policy: string;

beforeAll(async () => {
  sandbox = await testSandbox();
  gateway = await openGateway(sandbox);
  const answer = await fetch(`${gateway.url}/v1/docs`);
  policy = answer.headers.get("content-security-policy") ?? "";
  page = await answer.text();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

describe("the page", () => {
  it("has an anchor for every code that a problem's type points to", () => {
    const ids = idsOf(page);
    for (const code of Object.keys(STATUS_OF)) expect(ids).toContain(code);
  });

  it("has no anchor twice, and no link that leads nowhere", () => {
    const ids = idsOf(page);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(200);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });

  it("is drawn once for an address, however often anybody asks for it", async () => {
    const again = await fetch(`${gateway.url}/v1/docs`);
    expect(await again.text()).toBe(page);
    expect(docsPage).not.toHaveBeenCalled();
    await fetch(`${gateway.url.replace("127.0.0.1", "localhost")}/v1/docs`);
    expect(docsPage).toHaveBeenCalledTimes(1);
  });

  it("tells of every route and every operation", async () => {
    const { paths } = (await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as OpenApi;
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { operationId, summary }] of Object.entries(methods)) {
        const article = page.split(`<article id="${operationId}">`)[1]?.split("</article>")[0];
        expect(article, operationId).toContain(`<code>/v1${path}</code>`);
        expect(article).toContain(method.toUpperCase());
        expect(article).toContain(summary);
      }
    expect(page).toContain('id="operation-faceswap"');
  });

  it("runs no script, and shows its own style alone", () => {
    const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? "";
    const digest = createHash("sha256").update(style).digest("base64");
    expect(policy).toContain(`default-src 'none'; style-src 'sha256-${digest}'`);
    expect(page).not.toMatch(/<script| style=| on\w+=/);
  });

  it("leaves no placeholder of a sentence behind", () => {
    expect(page).not.toMatch(/\{\{|undefined|\[object/);
  });

  it("shows a first call that works when it is pasted", async () => {
    const { token } = await gateway.join();
    const [, first = ""] = page.split("Make something that needs no photo");
    const command = /<code>([^]*?)<\/code>/.exec(first)?.[1] ?? "";
    const env = { ...process.env, REELAY_TOKEN: token };
    const typed = command.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
    const { stdout } = await promisify(execFile)("sh", ["-c", typed], { env });
    expect(JSON.parse(stdout)).toMatchObject({ object: "job", status: "queued" });
  });

  it.skipIf(withoutBrowser())(
    "fits a phone and a laptop, and a browser finds nothing to complain of",
    async () => {
      await using browser = await launchBrowser();
      for (const width of [360, 1024, 1440]) {
        const tab = await browser.newPage({ viewport: { width, height: 800 } });
        const complaints: string[] = [];
        tab.on("console", (message) => complaints.push(message.text()));
        await tab.goto(`${gateway.url}/v1/docs#partner_cap`);
        expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(width);
        expect(await tab.evaluate("document.querySelector(':target h3').textContent")).toBe("Partner cap");
        expect(complaints).toEqual([]);
      }
    },
  );
});
