import { describe, expect, it } from "vitest";
import type { Origin } from "../../../src/seam/origin.ts";
import type { Action, ResultView } from "../../../src/seam/views.ts";
import { testCore, type TestCore } from "../../support/core.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { MemorySurface, person } from "../../support/surface.ts";

const ann = person("ann");
/** Somebody who has stated nothing yet. */
const newcomer: Origin = { ...person("ben"), agreed: [] };

/** The last view of every message. */
const shown = ({ surface }: TestCore) => surface.messages.flatMap(({ views }) => views.at(-1) ?? []);
const problems = (core: TestCore) => shown(core).filter((view) => view.kind === "problem");
/** How often it was said, as a notice, that something has begun already. */
const begun = (core: TestCore) =>
  shown(core).filter((view) => view.kind === "notice" && view.text.key === "error.already_begun").length;
const codes = (core: TestCore) => problems(core).map(({ problem }) => problem.code);

async function made(core: TestCore, who: Origin, prompt = "a lighthouse"): Promise<ResultView> {
  await core.surface.intake.command(who, "image", { prompt });
  await core.surface.results(1);
  const first = shown(core).find((view) => view.kind === "result");
  if (!first) throw new Error("There is no result.");
  return first;
}

const pressable = (actions: readonly Action[] | undefined, command: string): Action => {
  const found = actions?.find(({ token }) => token.startsWith(`${command}:`));
  if (!found) throw new Error(`There is no button ${command}.`);
  return found;
};

/** The two buttons that make a result once more; one of them stands under it, the other under older ones. */
const buttonsOf = ({ job: { id }, cost }: ResultView) => ({
  again: `again:${id}@${cost}`,
  newSeed: `new-seed:${id}@${cost}`,
});

/** Another price on the same button. */
const at = (token: string, price: number) => token.replace(/@.*/, `@${price}`);

describe("one press, one job", () => {
  it.each(["again", "newSeed"] as const)(
    "%s pressed three times at once makes one, and says so",
    async (name) => {
      await using sandbox = await testSandbox();
      await using core = await testCore(sandbox);
      const token = buttonsOf(await made(core, ann))[name];
      await Promise.all([1, 2, 3].map(() => core.surface.intake.act(ann, token)));
      await core.surface.results(2);
      expect((await sandbox.ledger()).submissions).toHaveLength(2);
      expect(begun(core)).toBe(2);
      expect(codes(core)).toEqual([]);
    },
  );

  it("again and a new variation are two", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { again, newSeed } = buttonsOf(await made(core, ann));
    await core.surface.intake.act(ann, again);
    await core.surface.intake.act(ann, newSeed);
    await core.surface.results(3);
    expect(codes(core)).toEqual([]);
    expect(begun(core)).toBe(0);
  });

  it("holds where a statement is asked for in between", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { intake } = core.surface;
    const pressed = { ...newcomer, press: "a button" };
    await intake.command(pressed, "image", { prompt: "a lighthouse" });
    await intake.command(pressed, "image", { prompt: "a lighthouse" });
    const asked = shown(core).flatMap((view) => (view.kind === "notice" ? (view.actions ?? []) : []));
    expect(asked.map(({ token }) => token.split(":")[0])).toEqual(["agree", "agree"]);
    for (const { token } of asked) await intake.act(newcomer, token);
    await core.surface.results(1);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
    expect(begun(core)).toBe(1);
    expect(codes(core)).toEqual([]);
  });
});

describe("a button that spends", () => {
  it("says what it costs, and carries it", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const result = await made(core, ann);
    const { label, token } = pressable(result.actions, "new-seed");
    expect(label.params).toMatchObject({ tokens: result.cost });
    expect(token).toBe(buttonsOf(result).newSeed);
  });

  it("begins nothing that has become dearer, and offers it for the new price", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const result = await made(core, ann);
    const { cost } = result;
    await core.surface.intake.act(ann, at(buttonsOf(result).again, (cost ?? 0) - 0.5));
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
    const [refused] = problems(core);
    expect(refused).toMatchObject({
      problem: { code: "price_changed", params: { tokens: cost } },
      charged: 0,
      facts: [{ label: "operation.image", value: { params: { words: "a lighthouse" } }, own: true }],
    });
    await core.surface.intake.act(ann, pressable(refused?.actions, "again").token);
    await core.surface.results(2);
  });

  it.each(["again", "newSeed"] as const)("names what %s could not make, and its words", async (name) => {
    await using sandbox = await testSandbox();
    const who = person("1", "telegram");
    const settings = { REELAY_OPERATOR_KEY_FOR: who.user, REELAY_DAILY_CAP: "1" };
    const surface = new MemorySurface("telegram");
    await using core = await testCore(sandbox, { surface, source: "operator", settings });
    const result = await made(core, who, "a lighthouse".repeat(40));
    await core.surface.intake.act(who, buttonsOf(result)[name]);
    const [refused] = problems(core);
    expect(refused).toMatchObject({ problem: { code: "daily_cap" }, charged: 0 });
    const [fact] = refused?.facts ?? [];
    expect(fact).toMatchObject({ label: "operation.image", own: true });
    expect(fact?.value.params?.["words"]).toMatch(/^a lighthouse.{50,150}…$/);
  });

  it("begins what has become cheaper, and what an older button says nothing of", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const result = await made(core, ann);
    await core.surface.intake.act(ann, at(buttonsOf(result).again, (result.cost ?? 0) + 1));
    await core.surface.intake.act(ann, `new-seed:${result.job.id}`);
    await core.surface.results(3);
    expect(codes(core)).toEqual([]);
  });
});
