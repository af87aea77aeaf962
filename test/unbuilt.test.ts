import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { temporaryFolder } from "./support/sandbox.ts";

const SENTENCE = "This page is not built yet. Whoever runs Reelay runs `npm run build:page` in its folder";

it("a checkout whose pages were not built says so when it starts, and where they would be", async () => {
  const root = resolve(import.meta.dirname, "..");
  const copy = temporaryFolder();
  await mkdir(join(copy, "tools"));
  for (const part of ["src", "adapters", "locales", "package.json", "tools/reelay.js"])
    await cp(join(root, part), join(copy, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: temporaryFolder(), REELAY_PORT: "0" };
  const server = spawn(process.execPath, [join(copy, "tools/reelay.js"), "start", "--json"], {
    cwd: copy,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = text(server.stderr);
  try {
    let url = "";
    for await (const line of createInterface(server.stdout)) {
      const event = JSON.parse(line) as { event?: string; url?: string };
      if (event.event !== "started") continue;
      url = event.url ?? "";
      break;
    }
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining(SENTENCE)]);
    const german = await fetch(url, { headers: { "accept-language": "de" } });
    expect(await german.text()).toContain("noch nicht gebaut");
    const docs = await fetch(`${url}/v1/docs`);
    expect([docs.status, await docs.json()]).toMatchObject([
      503,
      { code: "page_unbuilt", detail: expect.stringContaining(SENTENCE) },
    ]);
    expect((await fetch(`${url}/v1/docs/some.js`)).status).toBe(404);
    expect((await fetch(`${url}/v1/openapi.json`)).status).toBe(200);
  } finally {
    server.kill();
    await once(server, "close");
  }
  const words = (await said).split("\n").filter((line) => !line.startsWith("{"));
  expect(words).toEqual([expect.stringContaining(SENTENCE), ""]);
});
