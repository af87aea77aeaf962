import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { JobBody } from "../../../adapters/http/resources/job.ts";
import { openSafetyAdmin } from "../../../src/app/safety-admin.ts";
import { partnersPerson } from "../../../src/seam/access/partners.ts";
import type { SafetyAdmin } from "../../../src/seam/access/safety.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { openGateway, type TestGateway, type TestPartner } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const paint = (name: string) => ({ operation: "image", input: { prompt: "a cat" }, in_app_username: name });

const path = (name: string) => `/users/${encodeURIComponent(name)}/block`;

const blockedBy = async (answer: Response | Promise<Response>) =>
  ((await (await answer).json()) as { blocked_by: readonly string[] }).blocked_by;

/** What asking for a job comes to: its status, or the code that it is refused with. */
async function asking(partner: TestPartner, name: string): Promise<number | string> {
  const answer = await partner.submit(paint(name));
  return answer.status === 202 ? 202 : ((await answer.json()) as { code: string }).code;
}

/** Does something as whoever runs Reelay. */
async function asHost<T>(gateway: TestGateway, work: (desk: SafetyAdmin) => Promise<T>): Promise<T> {
  const database = await openDatabase(join(gateway.data, "reelay.db"));
  try {
    return await work(await openSafetyAdmin(database, { findIn: async () => undefined }, "cli:me"));
  } finally {
    await database.close();
  }
}

describe("one of a partner's people", () => {
  it("is blocked alone, by the partner, until that is taken back", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const [acme, other] = [await gateway.join("acme"), await gateway.join("other")];
    const name = "jo/ü x";
    expect(await blockedBy(acme.call(path(name)))).toEqual([]);
    for (let count = 0; count < 2; count++)
      expect(await blockedBy(acme.call(path(name), { method: "PUT" }))).toEqual(["partner"]);
    expect(await asking(acme, name)).toBe("user_blocked");
    expect(await asking(acme, "jo")).toBe(202);
    expect(await asking(other, name)).toBe(202);
    for (let count = 0; count < 2; count++)
      expect(await blockedBy(acme.call(path(name), { method: "DELETE" }))).toEqual([]);
    expect(await asking(acme, name)).toBe(202);
    const lines = await asHost(gateway, (desk) =>
      desk.audit({ user: "http:acme", username: name, limit: 9 }),
    );
    expect(lines.map(({ act, rule }) => [act, rule])).toEqual([
      ["allow", null],
      ["unblock", null],
      ["refuse", "user_blocked"],
      ["block", null],
    ]);
  });

  it("that whoever runs Reelay blocks is not let in by the partner", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme");
    await asHost(gateway, (desk) => desk.block("http:acme/jo", "spam"));
    expect(await asking(acme, "jo")).toBe("user_blocked");
    expect(await blockedBy(acme.call(path("jo"), { method: "PUT" }))).toEqual(["host", "partner"]);
    expect(await blockedBy(acme.call(path("jo"), { method: "DELETE" }))).toEqual(["host"]);
    expect(await asking(acme, "jo")).toBe("user_blocked");
    expect(await asking(acme, "kim")).toBe(202);
    await acme.call(path("jo"), { method: "PUT" });
    expect((await asHost(gateway, (desk) => desk.blocks())).map(({ subject, by }) => [subject, by])).toEqual(
      expect.arrayContaining([
        ["http:acme/jo", undefined],
        ["http:acme/jo", "partner"],
      ]),
    );
    expect(await asHost(gateway, (desk) => desk.unblock("http:acme/jo"))).toBe(true);
    expect(await asking(acme, "jo")).toBe(202);
  });

  it("is blocked however the same name is written, and nobody else is", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme");
    const [composed, decomposed] = ["Ren\u00e9e", "Rene\u0301e"];
    await asHost(gateway, (desk) => desk.block(partnersPerson("http:acme", decomposed), undefined));
    expect(await asking(acme, composed)).toBe("user_blocked");
    expect(await asking(acme, ` ${decomposed} `)).toBe("user_blocked");
    expect(await asking(acme, "Renee")).toBe(202);
    expect(await asking(acme, "ren\u00e9e")).toBe(202);
    await acme.call(path(composed), { method: "PUT" });
    expect(await blockedBy(acme.call(path(decomposed)))).toEqual(["host", "partner"]);
  });

  it("is blocked by the settings, too", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { settings: { REELAY_BLOCKED: "http:acme/jo" } });
    const acme = await gateway.join("acme");
    expect(await asking(acme, "jo")).toBe("user_blocked");
    expect(await asking(acme, "jo2")).toBe(202);
  });

  it("loses what they have waiting, which costs nothing, and nobody else does", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme");
    // More than one window lets through (section 8.1).
    const names = Array.from({ length: 60 }, (_, index) => (index % 6 === 0 ? "kim" : "jo"));
    await Promise.all(names.map((name) => acme.accepted(paint(name))));
    await acme.call(path("jo"), { method: "PUT" });
    const jobs = () =>
      vi.waitFor(
        async () => {
          const { data } = (await (await acme.call("/jobs?limit=100")).json()) as { data: JobBody[] };
          if (data.some(({ status }) => status === "queued" || status === "running"))
            throw new Error("They go on.");
          return data;
        },
        { timeout: PATIENCE_MS, interval: 200 },
      );
    const dropped = (await jobs()).filter(({ error }) => error?.code === "blocked");
    expect(dropped.length).toBeGreaterThan(0);
    expect(dropped.every(({ cost, in_app_username: name }) => name === "jo" && cost === 0)).toBe(true);
  });

  it("is unknown to a token that may only read, and to bad names", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const reader = await gateway.join("reader", { scopes: ["jobs:read"] });
    for (const method of ["PUT", "DELETE"])
      expect((await reader.call(path("jo"), { method })).status).toBe(403);
    expect(await blockedBy(reader.call(path("jo")))).toEqual([]);
    const acme = await gateway.join("acme");
    expect((await acme.call(path("x".repeat(129)), { method: "PUT" })).status).toBe(422);
  });

  it("is blocked no more once the partner is gone, but for what whoever runs Reelay decided; nothing names them", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme");
    await acme.call(path("jo"), { method: "PUT" });
    await asHost(gateway, (desk) => desk.block("http:acme/kim", undefined));
    await gateway.partners.remove("acme");
    const [blocks, lines] = await asHost(
      gateway,
      async (desk) => [await desk.blocks(), await desk.audit({ limit: 20 })] as const,
    );
    expect(blocks.map(({ subject }) => subject)).toEqual(["http:acme/kim"]);
    expect(JSON.stringify(lines)).not.toMatch(/kim|"jo"/);
  });
});
