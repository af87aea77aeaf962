import { expect, it } from "vitest";
import type { SeenMessage } from "../../support/whatsapp/person.ts";
import { begins, harness, held, isFilm } from "./harness.ts";

/** So many may follow each other at once; each counts for ten seconds. */
const PACE = { perSecond: 1_000, burst: 20, perPersonMs: 500, lostMs: 5_000 };

const isHelp = ({ from, text }: SeenMessage) => from === "bot" && text.includes("You can also type");
it("tells somebody that nothing may be written to them for a while, and shows what was made all the same", async () => {
  const { render, release } = held();
  await using at = await harness({ render, pace: PACE });
  const ann = await at.regular("Ann");
  await begins(ann, "slow zoom");
  for (let nth = 0; nth < 24; nth++) ann.says("/help");
  const helps = () => ann.chat().filter(isHelp).length;
  await ann.sees(/write to you again in about \d+ sec/);
  const before = helps();
  release();
  await ann.sees(isFilm);
  expect(helps()).toBe(before);
  await ann.until(() => helps() === 24);
  expect(ann.chat().filter(({ text }) => text.includes("write to you again"))).toHaveLength(1);
});
