import { describe, expect, it } from "vitest";
import { USUAL } from "../../support/whatsapp/liberties.ts";
import { begins, harness, held, isFilm } from "./harness.ts";

const HOUR_MS = 3_600_000;
const TEMPLATE = {
  name: "film_is_ready",
  language: "en",
  body: "Something is ready for you.",
  buttons: ["Show it"],
};

/** A film that was asked for, and is ready 25 hours later. */
async function late(options: Parameters<typeof harness>[0] = {}) {
  const { render, release } = held();
  const at = await harness({ render, ...options });
  const ann = await at.regular("Ann");
  await begins(ann, "slow zoom");
  await expect.poll(async () => (await at.sandbox.ledger()).submissions.length).toBe(1);
  await at.whatsapp.untilHeard();
  at.whatsapp.passTime(25 * HOUR_MS);
  release();
  return { at, ann, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

const liberties = { ...USUAL, refuses: "at once" } as const;

describe("a film that is ready when its person wrote too long ago", () => {
  it.each([
    ["told later", {}],
    ["refused at once", { liberties }],
  ])("waits, and is there at the next word: %s", async (_what, options) => {
    await using on = await late(options);
    const { at, ann } = on;
    await expect.poll(() => at.deliveries()).toEqual(["undeliverable"]);
    expect(ann.chat().filter(isFilm)).toHaveLength(0);
    ann.says("Where is it?");
    await ann.sees(isFilm);
    await at.whatsapp.untilHeard();
    expect(ann.chat().filter(isFilm)).toHaveLength(1);
    await expect.poll(() => at.deliveries()).toEqual(["delivered"]);
  });

  it.each([
    ["told later", {}],
    ["refused at once", { liberties }],
  ])("is announced once by the operator's template, whose button brings it: %s", async (_what, options) => {
    const settings = { WHATSAPP_TEMPLATE: `${TEMPLATE.name}:${TEMPLATE.language}` };
    await using on = await late({ ...options, templates: [TEMPLATE], settings });
    const { at, ann } = on;
    await ann.sees(TEMPLATE.body);
    await ann.presses("Show it");
    await ann.sees(isFilm);
    await at.whatsapp.untilHeard();
    expect(ann.chat().filter(isFilm)).toHaveLength(1);
    expect(ann.chat().filter(({ type }) => type === "template")).toHaveLength(1);
  });

  it("waits where the template is not approved", async () => {
    const settings = { WHATSAPP_TEMPLATE: `${TEMPLATE.name}:${TEMPLATE.language}` };
    await using on = await late({ templates: [{ ...TEMPLATE, status: "REJECTED" }], settings });
    const { at, ann } = on;
    await expect.poll(() => at.deliveries()).toEqual(["undeliverable"]);
    ann.says("/balance");
    await ann.sees(isFilm);
  });
});
