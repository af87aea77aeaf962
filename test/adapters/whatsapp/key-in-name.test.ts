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
