import { expect, it } from "vitest";
import { begins, harness, held, isFilm } from "./harness.ts";

/** So many may follow each other at once; each counts for longer than the test takes. */
const PACE = { perSecond: 1_000, burst: 20, perPersonMs: 10_000, lostMs: 5_000 };

type Harness = Awaited<ReturnType<typeof harness>>;

/** What was shown on people's messages, in its order. */
const reactionsIn = ({ whatsapp }: Harness) =>
  whatsapp.calls("messages").flatMap(({ body }) => /"emoji":"([^"]*)"/.exec(JSON.stringify(body))?.[1] ?? []);

it("leaves the places of a chat to what is said there: where half are taken, nothing is shown on a message", async () => {
  const { render, release } = held();
  await using at = await harness({ render, pace: PACE });
  const ann = await at.regular("Ann");
  for (let nth = 0; nth < 10; nth++) ann.says("/help");
  await begins(ann, "slow zoom");
  await expect.poll(async () => (await at.sandbox.ledger()).submissions.length).toBe(1);
  release();
  await ann.sees(isFilm);
  expect(reactionsIn(at)).toEqual([]);
});

it("shows that a film is there once it has arrived, and once", async () => {
  await using at = await harness();
  const ann = await at.regular("Ann");
  at.whatsapp.fails(
    "messages",
    { kind: "told", code: 131_000 },
    2,
    ({ interactive }) => interactive?.header !== undefined,
  );
  await begins(ann, "slow zoom");
  await ann.sees(isFilm);
  await expect.poll(() => at.isBusy()).toBe(false);
  expect(reactionsIn(at).filter((emoji) => emoji === "✅")).toHaveLength(1);
});
