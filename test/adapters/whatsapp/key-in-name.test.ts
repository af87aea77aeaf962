import { expect, it } from "vitest";
import { harness, photo } from "./harness.ts";

/** All that is kept, until a picture is among it. */
async function keptBy(at: Awaited<ReturnType<typeof harness>>): Promise<string> {
  await at.whatsapp.untilHeard();
  const seen: string[] = [];
  await expect
    .poll(async () => {
      const kept = await at.adapter.database.kysely.selectFrom("kv").selectAll().execute();
      seen.push(JSON.stringify(kept));
      return kept.some(({ key }) => key.includes("picture:"));
    })
    .toBe(true);
  return seen.join("\n");
}

it("a key in a photo's name is kept nowhere", async () => {
  await using at = await harness();
  const ann = await at.regular("Ann");
  const key = at.sandbox.keys.ultra;
  ann.sendsDocument(photo, { fileName: `${key}.jpg`, caption: "slow zoom" });
  await ann.sees("still in this chat");
  expect(await keptBy(at)).not.toContain(key);
});

it("a key that was never entered is told of in a document's name, and kept nowhere", async () => {
  await using at = await harness();
  const eve = at.whatsapp.person({ name: "Eve" });
  const key = `rk_${"9f86d081884c7d659a2f".repeat(2)}`;
  eve.sendsDocument(photo, { fileName: `${key}.jpg` });
  await eve.sees("still in this chat");
  expect(await keptBy(at)).not.toContain(key);
});
