import { describe, expect, it } from "vitest";
import type { CommandRequest } from "../../../src/domain/commands/command.ts";
import { accept } from "../../../src/domain/commands/generate.ts";
import { fieldsOf } from "../../../src/domain/operations/fields.ts";
import { OPERATIONS } from "../../../src/domain/operations/registry.ts";
import { work } from "../../../src/domain/policy/words/work.ts";
import { testCore } from "../../support/core.ts";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

/** What may be written at most (section 4.12). */
const MOST = 20_000;

const TEXTS = OPERATIONS.flatMap((operation) =>
  fieldsOf(operation.schema)
    .filter(({ control }) => control === "text")
    .map(({ name, maxLength }) => ({ operation, id: operation.id, name, maxLength })),
);

/** Somebody who is let in, before a gate that looks at no words because it must not come to that. */
const asking = {
  origin: person("ann"),
  gate: {
    admitOperation: () => Promise.resolve(),
    check: () => Promise.reject(new Error("looked at")),
  },
  ledger: {},
  lineage: { of: () => Promise.resolve(undefined) },
  policy: {},
  catalogue: {},
  account: () => Promise.resolve({}),
  tagger: { tagsOf: () => ({}) },
  surfaces: { of: () => ({ checkRights: () => Promise.resolve() }) },
} as unknown as CommandRequest;

describe("a text that is longer than may be sent", () => {
  it.each(TEXTS)("has a bound: $name of $id", ({ maxLength }) => {
    expect(maxLength).toBeLessThanOrEqual(MOST);
  });

  it.each(TEXTS)(
    "never comes before the rules, even unchecked: $name of $id",
    async ({ operation, name }) => {
      const before = work.steps;
      await expect(accept(asking, operation, { [name]: "1*".repeat(MOST) })).rejects.toMatchObject({
        code: "field_too_long",
        params: { field: name, max: MOST },
      });
      await expect(accept(asking, operation, { [name]: "a".repeat(MOST) })).rejects.toThrow("looked at");
      expect(work.steps).toBe(before);
    },
  );

  it("is refused before the rules from a program, whichever field it is of", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { jobs } = core.surface.intake;
    const before = work.steps;
    for (const { id, name } of TEXTS)
      expect(jobs.check(id, { [name]: "1*".repeat(150_000) })).toContainEqual(
        expect.objectContaining({ field: name, code: "field_too_long" }),
      );
    await expect(jobs.submit(person("ann"), "image", { prompt: "1*".repeat(150_000) })).rejects.toMatchObject(
      { code: "field_too_long" },
    );
    expect(work.steps).toBe(before);
  });

  it("is refused before the rules over /v1", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const before = work.steps;
    const body = { operation: "image", input: { prompt: "1*".repeat(150_000) }, in_app_username: "jo" };
    const answer = await acme.submit(body);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      errors: [{ field: "input.prompt", code: "field_too_long" }],
    });
    expect(work.steps).toBe(before);
  });
});
