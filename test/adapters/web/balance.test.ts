import { afterAll, beforeAll, expect, it } from "vitest";
import { person } from "../../support/surface.ts";
import { startWhole, type WholeSite } from "./support/whole.ts";

let site: WholeSite;
beforeAll(async () => {
  site = await startWhole();
});
afterAll(() => site[Symbol.asyncDispose]());

const left = async (): Promise<unknown> => (await fetch(`${site.url}/web/balance`)).json();

it("tells what is left when something was made elsewhere under the same key", async () => {
  const before = await left();
  expect(before).toBeGreaterThan(0);
  await site.chat.intake.command(person("ann", "telegram"), "image", { prompt: "a heron" });
  await site.chat.results(1);
  const [{ balance, cost } = { balance: null, cost: null }] = site.chat.showing("result");
  expect(cost).toBeGreaterThan(0);
  expect(await left()).toBe(balance);
  expect(balance).toBeLessThan(Number(before));
});

it("tells nobody what is left who has no key to pay with, and fails for nobody", async () => {
  await using paid = await startWhole((keys) => ({ REELAY_API_KEY: keys.pro, REELAY_OPERATOR_KEY_FOR: "" }));
  expect(await paid.chat.intake.tokensLeft(person("ben", "telegram"))).toBeNull();
  expect(await (await fetch(`${paid.url}/web/balance`)).json()).toBeGreaterThan(0);
});
