import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FreshEndpoint } from "../../../../src/seam/access/webhooks.ts";
import { OPERATOR } from "../../../../src/domain/webhooks/deliveries.ts";
import { PartnerBook } from "../../../../src/domain/partners/partner-book.ts";
import {
  ACME,
  allDone,
  receiver,
  says,
  SECRET,
  type Harness,
  harness,
} from "../../../domain/webhooks/harness.ts";

const PROGRAM = fileURLToPath(new URL("../../../../tools/reelay.js", import.meta.url));

let acme: Harness;
let made: FreshEndpoint;

beforeAll(async () => {
  acme = await harness();
  const caps = { caps: {}, userCaps: {}, requestsPerMinute: 1 };
  const partner = { id: "acme", name: "Acme", platform: "acme", createdAt: 0, ...caps };
  await new PartnerBook(acme.database).add({ partner, tokens: [] });
  await using hook = await receiver(says(410));
  made = await acme.webhooks.create(ACME, { url: hook.url, events: ["job.completed"] });
  acme.dispatcher.start();
  await acme.tell();
  await acme.log(allDone);
  await acme.dispatcher.stop();
});

afterAll(() => acme[Symbol.asyncDispose]());

/** Runs a program in the data folder, where no `.env` of the checkout is read. */
async function run(file: string, args: readonly string[]) {
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: acme.folder, REELAY_SECRET: SECRET };
  return promisify(execFile)(file, args, { cwd: acme.folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

const command = (...args: readonly string[]) => [process.execPath, PROGRAM, "webhooks", ...args].join(" ");

/** What it says when it is piped. */
async function event(...args: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [PROGRAM, "webhooks", ...args]);
  return JSON.parse(stdout);
}

describe("reelay webhooks, as a process", () => {
  it("lists where a partner is told", async () => {
    const endpoint = await acme.webhooks.get(ACME, made.endpoint.id);
    expect(endpoint.disabledBecause).toBe("gone");
    expect(await event("list", "Acme")).toEqual({ version: 1, event: "webhooks", webhooks: [endpoint] });
  });

  it("shows what was sent, of one endpoint where that is wanted", async () => {
    const deliveries = await acme.webhooks.deliveries(ACME, { limit: 10 });
    expect(deliveries).toMatchObject([{ state: "dropped", attempts: [{ status: 410 }] }]);
    expect(await event("log", "acme")).toEqual({ version: 1, event: "deliveries", deliveries });
    expect(await event("log", "acme", "--webhook", made.endpoint.id)).toEqual({
      version: 1,
      event: "deliveries",
      deliveries,
    });
    expect(await event("log", "acme", "--webhook", "other")).toEqual({
      version: 1,
      event: "deliveries",
      deliveries: [],
    });
  });

  it("is a table on a terminal", async (context) => {
    if (process.platform !== "linux") context.skip("script(1) makes terminals the same way on Linux only");
    const { stdout: list } = await run("script", ["-qec", command("list", "acme"), "/dev/null"]);
    expect(list).toContain(`  ${made.endpoint.id}  ${made.endpoint.url}  job.completed  gone since `);
    const { stdout: log } = await run("script", ["-qec", command("log", "acme"), "/dev/null"]);
    expect(log).toMatch(/ {2}msg_\S+ {2}job\.completed {2}dropped {2}410 {2}http:/);
  });

  it("sends again what can be sent", async () => {
    const [delivery] = await acme.webhooks.deliveries(ACME, { limit: 1 });
    const id = delivery?.id ?? "";
    expect(await event("resend", "acme", id)).toMatchObject({ code: "webhook_disabled", exitCode: 2 });
    await acme.webhooks.change(ACME, made.endpoint.id, { enabled: true });
    expect(await event("resend", "acme", id)).toMatchObject({
      event: "resent",
      delivery: { id, state: "due" },
    });
    expect(await acme.webhooks.deliveries(ACME, { limit: 1 })).toMatchObject([{ id, state: "due" }]);
    expect(await event("resend", "acme", "msg_other")).toMatchObject({ code: "not_found" });
  });

  it("shows what signs callbacks, and makes a new one when told to", async () => {
    const secret = await acme.webhooks.callbackSecret(ACME);
    expect(await event("secret", "acme")).toEqual({
      version: 1,
      event: "callback_secret",
      secret,
      renewed: false,
    });
    const fresh = await event("secret", "acme", "--renew");
    expect(fresh).not.toMatchObject({ secret });
    expect(fresh).toMatchObject({ renewed: true, secret: await acme.webhooks.callbackSecret(ACME) });
    // Of the operator, whose own address is told of reports.
    const own = { secret: await acme.webhooks.callbackSecret(OPERATOR), renewed: false };
    expect(await event("secret")).toEqual({ version: 1, event: "callback_secret", ...own });
  });

  it("knows nobody but partners", async () => {
    for (const args of [
      ["list", "nobody"],
      ["log", "nobody"],
      ["secret", "nobody"],
      ["resend", "nobody", "msg_1"],
    ]) {
      expect(await event(...args)).toMatchObject({ code: "partner_unknown", exitCode: 2 });
    }
  });
});
