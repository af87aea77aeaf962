import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

const DAY_MS = 24 * 3_600_000;
const CAT = { operation: "image", input: { prompt: "a cat" } };

/** The path of a link below `/v1`. */
const linkTo = (url = "") => new URL(url, "http://localhost").pathname.replace(/^\/v1/, "");

describe("results of partners", () => {
  it("go with what came before a time, and not sooner", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted(CAT);
    await acme.ended(id);
    await gateway.surface.expire(Date.now() - 60_000);
    expect((await acme.call(`/jobs/${id}/media`)).status).toBe(200);
    await gateway.surface.expire(Date.now() + 1);
    expect(await gateway.storedFiles()).toBe(0);
    const gone = await acme.call(`/jobs/${id}/media`);
    expect([gone.status, await gone.json()]).toMatchObject([410, { code: "result_expired" }]);
  });

  it("are said to be missing, not over, where somebody took the file away", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted(CAT);
    const [file] = (await acme.ended(id)).media;
    rmSync(join(gateway.data, "partners"), { recursive: true });
    for (const path of [`/jobs/${id}/media`, linkTo(file?.url)]) {
      const answer = await acme.call(path);
      expect([answer.status, await answer.json()], path).toMatchObject([404, { code: "result_missing" }]);
    }
  });

  it("are not found where there never was one", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted(CAT);
    await acme.ended(id);
    for (const path of ["/media/unknown", "/media/a.b", `/jobs/${id}/media?index=7`]) {
      const answer = await acme.call(path);
      expect([answer.status, await answer.json()], path).toMatchObject([
        404,
        { code: "not_found", detail: "This cannot be found. It may have been deleted." },
      ]);
    }
  });

  it.each([
    ["2", 2],
    ["90", 7],
    ["0", 7],
  ])("say when they will go: with %s days set, after %s", async (days, kept) => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { settings: { REELAY_KEEP_DAYS: days } });
    const acme = await gateway.join();
    const { id } = await acme.accepted(CAT);
    const [file] = (await acme.ended(id)).media;
    const left = Date.parse(file?.expires_at ?? "") - Date.now();
    expect(left / DAY_MS).toBeGreaterThan(kept - 0.1);
    expect(left / DAY_MS).toBeLessThanOrEqual(kept);
  });

  it("are the only thing that a program is sent: it cannot be reached otherwise", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await expect(gateway.surface.reach("http:acme")).rejects.toMatchObject({ code: "undeliverable" });
  });
});
