import { expect, it } from "vitest";
import { WHATSAPP } from "../../../adapters/whatsapp/api/limits.ts";
import { WHATSAPP_LIMITS } from "../../support/whatsapp/limits.ts";
import { harness, isFilm, photo } from "./harness.ts";

const PEOPLE = 20;

it("makes a film for each of twenty people at once, each once and in order, and is never too fast", async () => {
  // WhatsApp's own limits.
  await using at = await harness({ pace: WHATSAPP, limits: WHATSAPP_LIMITS });
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, nth) => at.regular(`Guest ${nth}`)));
  await Promise.all(
    people.map(async (person) => {
      const sent = person.sendsPhoto(photo, { caption: `dance of ${person.name}` });
      const offer = await person.sees("2.7 tokens");
      expect(offer.replyTo).toBe(sent.id);
      await person.presses(/generate/i, { on: offer });
      const film = await person.sees(isFilm);
      expect(film.replyTo).toBe(sent.id);
      person.says("/balance");
      await person.sees(({ tick, text }) => tick > film.tick && /token/i.test(text));
    }),
  );
  await at.whatsapp.untilHeard();
  const { submissions } = await at.sandbox.ledger();
  expect(new Set(submissions.map(({ prompt }) => prompt)).size).toBe(PEOPLE);
  expect(submissions).toHaveLength(PEOPLE);
  for (const person of people) expect(person.chat().filter(isFilm)).toHaveLength(1);
  expect(at.whatsapp.calls().filter(({ error }) => error)).toEqual([]);
});
