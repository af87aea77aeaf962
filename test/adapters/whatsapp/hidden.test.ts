import { describe, expect, it } from "vitest";
import { USUAL } from "../../support/whatsapp/liberties.ts";
import { begins, harness, isFilm } from "./harness.ts";

const liberties = { ...USUAL, hasNews: true };

describe("somebody who hides their number", () => {
  it("is told of what they asked for, by what stands for it", async () => {
    await using at = await harness({ liberties: { ...USUAL, numbers: "hidden" } });
    const ann = at.whatsapp.person({ name: "Ann" });
    ann.says("Hello");
    await ann.sees("Send me a photo and a line of text");
    ann.says("/balance");
    await ann.sees("tokens", { fresh: true });
    expect(at.whatsapp.calls("messages").flatMap(({ body }) => body.to ?? [])).toEqual([]);
    ann.says("/forget");
    await ann.presses("Erase it here");
    await ann.presses("Yes", { on: await ann.sees("cannot be undone. Delete", { fresh: true }) });
    await ann.sees("keeps nothing about you", { fresh: true });
    await at.whatsapp.untilHeard();
    const rows = await at.adapter.database.kysely.selectFrom("kv").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(ann.knownAs);
  });

  it("stays who they were, when they begin to and when it shows again", async () => {
    await using at = await harness({ liberties });
    const ann = await at.regular("Ann");
    await begins(ann, "slow zoom");
    await ann.sees(isFilm);
    ann.hidesNumber();
    ann.says("/jobs");
    await ann.sees("slow zoom", { fresh: true });
    await at.restart();
    ann.says("/jobs");
    await ann.sees("slow zoom", { fresh: true });
    ann.showsNumber();
    ann.says("/jobs");
    await ann.sees("slow zoom", { fresh: true });
    const people = new Set(at.whatsapp.calls("messages").flatMap(({ body }) => body.to ?? body.recipient));
    expect([...people].filter(Boolean)).toEqual([ann.waId]);
  });
});

it("a number that is another person's without a word of it shows them nothing of whoever had it", async () => {
  await using at = await harness({ liberties });
  const ann = await at.regular("Ann");
  await begins(ann, "slow zoom");
  await ann.sees(isFilm);
  ann.givesNumberAway();
  const bob = ann;
  bob.says("/jobs");
  await bob.sees("Nothing here yet", { fresh: true });
  // And it goes on so.
  bob.says("/jobs");
  const told = await bob.sees("Nothing here yet", { fresh: true });
  expect(told.buttons).not.toContain("slow zoom");
});
