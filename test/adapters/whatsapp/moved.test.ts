import { expect, it } from "vitest";
import { begins, harness, held, isFilm, photo } from "./harness.ts";

it("shows a new person on a number nothing of whoever had it before, and neither the other way round", async () => {
  const { render, release } = held();
  await using at = await harness({ render });
  const ann = await at.regular("Ann");
  await begins(ann, "slow zoom");
  await ann.sees(({ replyTo }) => replyTo !== undefined);
  await expect.poll(async () => (await at.sandbox.ledger()).submissions.length).toBe(1);
  const draft = ann.sendsPhoto(photo, { caption: "a draft of hers" });
  const offer = await ann.sees("a draft of hers", { fresh: true });
  ann.changesNumber("12195555358");
  await at.whatsapp.untilHeard();
  const before = ann.chat().length;
  release();
  await expect.poll(() => at.deliveries()).toEqual(["undeliverable"]);

  // The same phone stands for whoever has the number now.
  const bob = ann;
  bob.says("Hola");
  const welcome = await bob.sees("Send me a photo and a line of text");
  expect(welcome.buttons).toContain("Language");
  bob.says("/jobs");
  await bob.sees("Nothing here yet", { fresh: true });
  await bob.presses(/generate/i, { on: offer });
  await bob.sees("belongs to somebody else", { fresh: true });
  bob.says("dance", { replyTo: draft });
  await bob.sees(() => true, { fresh: true });
  await at.whatsapp.untilHeard();
  const seen = bob
    .chat()
    .slice(before)
    .filter(({ from }) => from === "bot");
  expect(seen.filter(isFilm)).toEqual([]);
  expect(JSON.stringify(seen)).not.toContain("slow zoom");
  expect(JSON.stringify(seen)).not.toContain("a draft of hers");
  expect(await at.deliveries()).toEqual(["undeliverable"]);

  // Forgotten, they are no more taken for the first.
  bob.says("/forget");
  await bob.presses("Erase it here");
  await bob.presses("Yes", { on: await bob.sees("cannot be undone. Delete", { fresh: true }) });
  await bob.sees("keeps nothing about you", { fresh: true });
  bob.says("/jobs");
  await bob.sees("Nothing here yet", { fresh: true });
});
