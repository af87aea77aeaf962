import { expect, it } from "vitest";
import { harness, photo } from "./harness.ts";

it("a key in a photo's name is kept nowhere", async () => {
  await using at = await harness();
  const ann = await at.regular("Ann");
  const key = at.sandbox.keys.ultra;
  ann.sendsDocument(photo, { fileName: `${key}.jpg`, caption: "slow zoom" });
  await ann.sees("still in this chat");
  await at.whatsapp.untilHeard();
  await expect
    .poll(async () => {
      const kept = await at.adapter.database.kysely.selectFrom("kv").selectAll().execute();
      expect(JSON.stringify(kept)).not.toContain(key);
      return kept.some(({ key }) => key.includes("picture:"));
    })
    .toBe(true);
});

it("a key that was never entered is told of in a document's name, and kept nowhere", async () => {
  await using at = await harness();
  const eve = at.whatsapp.person({ name: "Eve" });
  const key = `rk_${"9f86d081884c7d659a2f".repeat(2)}`;
  eve.sendsDocument(photo, { fileName: `${key}.jpg` });
  await eve.sees("still in this chat");
  await at.whatsapp.untilHeard();
  await expect
    .poll(async () => {
      const kept = await at.adapter.database.kysely.selectFrom("kv").selectAll().execute();
      expect(JSON.stringify(kept)).not.toContain(key);
      return kept.some(({ key }) => key.includes("picture:"));
    })
    .toBe(true);
});
