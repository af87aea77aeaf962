import { expect, it } from "vitest";
import type { SeenMessage } from "../../support/whatsapp/person.ts";
import { begins, harness, held, isFilm, photo } from "./harness.ts";

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

const isPage = ({ from, text }: SeenMessage) => from === "bot" && text.includes("What should happen: “");

/** A form that was shown, and a pause that began after that. */
async function pausedForm(at: Awaited<ReturnType<typeof harness>>) {
  const ann = await at.regular("Ann");
  ann.sendsPhoto(photo, { caption: "slow zoom" });
  const first = await ann.sees("2.7 tokens");
  for (let nth = 0; nth < 17; nth++) ann.says("/help");
  await ann.sees(/write to you again in about \d+ sec/);
  return { ann, first, pages: () => ann.chat().filter(isPage) };
}

it("shows the newest page alone of those of a form that waited in a pause", async () => {
  await using at = await harness({ pace: PACE });
  const { ann, first, pages } = await pausedForm(at);
  for (const words of ["one", "two", "three"]) ann.says(words);
  const newest = await ann.sees("“three”");
  expect(pages().map(({ id }) => id)).toEqual([first.id, newest.id]);
});

it("shows none of a form that was given up meanwhile", async () => {
  await using at = await harness({ pace: PACE });
  const { ann, pages } = await pausedForm(at);
  ann.says("other words");
  ann.says("/cancel");
  await ann.sees(/^Cancelled/, { fresh: true });
  ann.says("/balance");
  await ann.sees("play money", { fresh: true });
  expect(pages()).toHaveLength(1);
});
