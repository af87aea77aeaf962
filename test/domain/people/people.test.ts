import { join } from "node:path";
import { expect, it } from "vitest";
import { People } from "../../../src/domain/people/people.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const stated = { version: "1", at: 1, surface: "telegram" } as const;

it("keeps what somebody takes back at the moment at which something else of them changes", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  // As another process has it.
  const [here, there] = [memory(database, "people"), memory(database, "people")].map(
    (store) => new People(store),
  );
  if (!here || !there) throw new Error("There are two.");
  await here.declare("telegram:ann", "terms", stated);
  await Promise.all([
    there.update("telegram:ann", { spendBelow: 5 }),
    here.withdraw("telegram:ann", ["terms"]),
    there.declare("telegram:ann", "consent", stated),
    here.update("telegram:ann", { locale: "de" }),
  ]);
  expect(await here.of("telegram:ann")).toEqual({
    declared: { consent: stated },
    spendBelow: 5,
    locale: "de",
  });
  await database.close();
});
