import { describe, it } from "vitest";
import { drawWhatsapp, USUAL } from "../../support/whatsapp/liberties.ts";
import { begins, harness, held, isFilm, photo } from "./harness.ts";

describe.concurrent("from a photo to a film", () => {
  it("asks, says that it has begun, shows it on the photo, and answers the photo with the film: nothing else is said", async ({
    expect,
  }) => {
    const { render, release } = held();
    await using at = await harness({ render });
    const ann = await at.regular("Ann");
    const sent = ann.sendsPhoto(photo, { caption: "slow zoom" });
    await ann.until(() => ann.chat().some(({ id, isRead }) => id === sent.id && isRead));
    const offer = await ann.sees("2.7 tokens");
    expect(offer.replyTo).toBe(sent.id);
    await ann.presses(/generate/i);
    const hourglass = () => ann.chat().find(({ id }) => id === sent.id)?.reaction === "⏳";
    await ann.until(hourglass);
    release();
    const film = await ann.sees(isFilm);
    expect(film).toMatchObject({ replyTo: sent.id });
    expect(film.buttons.length).toBeGreaterThan(0);
    await ann.until(() => ann.chat().find(({ id }) => id === sent.id)?.reaction === "✅");
    await at.whatsapp.untilHeard();
    const said = ann.chat().filter(({ from }) => from === "bot");
    expect(said.length).toBeLessThanOrEqual(3);
    expect(said.filter(isFilm)).toHaveLength(1);
    expect((await at.sandbox.ledger()).submissions.map(({ prompt }) => prompt)).toEqual(["slow zoom"]);
    expect(at.whatsapp.calls().filter(({ error }) => error)).toEqual([]);
    // What was made is told of by the service's own number alone: nobody else was written to.
    expect(new Set(at.whatsapp.calls("messages").flatMap(({ body }) => body.to ?? []))).toEqual(
      new Set([ann.waId]),
    );
  });

  it("says what a newcomer states by pressing, and makes the film with that one press", async ({
    expect,
  }) => {
    await using at = await harness();
    const ann = at.whatsapp.person({ name: "Ann" });
    ann.sendsPhoto(photo, { caption: "slow zoom" });
    await ann.sees("must have agreed");
    await ann.presses(/generate/i);
    await ann.sees(isFilm);
    expect((await at.sandbox.ledger()).submissions).toHaveLength(1);
  });

  it("makes one film of a photo however often its button is pressed, also later, and says so", async ({
    expect,
  }) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.sendsPhoto(photo, { caption: "slow zoom" });
    const offer = await ann.sees("2.7 tokens");
    await ann.presses(/generate/i, { on: offer });
    await ann.presses(/generate/i, { on: offer });
    await ann.sees(isFilm);
    await ann.presses(/generate/i, { on: offer });
    await ann.sees(({ text }) => !isFilm({ ...offer, text }) && text !== offer.text, { fresh: true });
    await at.whatsapp.untilHeard();
    expect((await at.sandbox.ledger()).submissions).toHaveLength(1);
  });

  it("goes on where it was after a restart in the middle", async ({ expect }) => {
    const { render, release } = held();
    await using at = await harness({ render });
    const ann = await at.regular("Ann");
    await begins(ann, "slow zoom");
    await expect.poll(async () => (await at.sandbox.ledger()).submissions.length).toBe(1);
    await at.restart();
    release();
    await ann.sees(isFilm);
    await at.whatsapp.untilHeard();
    expect(ann.chat().filter(isFilm)).toHaveLength(1);
  });

  it("answers what it has no use for with a sentence, and a reaction with nothing", async ({ expect }) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    ann.sendsLocation();
    const said = await ann.sees(() => true);
    ann.reacts(said, "❤️");
    await at.whatsapp.untilHeard();
    ann.sendsUnsupported();
    await ann.sees(() => true, { fresh: true });
    await at.whatsapp.untilHeard();
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(2);
  });
});

describe.concurrent("whatever WhatsApp does by a seed", () => {
  const seeds = Array.from({ length: 12 }, (_, seed) => seed);

  it.for(seeds)("%i: makes one film of each photo, and shows each once", async (seed, { expect }) => {
    const liberties = drawWhatsapp(seed);
    await using at = await harness({ liberties });
    const people = await Promise.all(["Ann", "Bob"].map((name) => at.regular(name)));
    await Promise.all(
      people.map(async (person) => {
        await begins(person, `dance of ${person.name}`);
        await person.sees(isFilm);
      }),
    );
    await at.whatsapp.untilHeard();
    await expect.poll(() => at.deliveries()).toEqual(["delivered", "delivered"]);
    const { submissions } = await at.sandbox.ledger();
    expect(submissions).toHaveLength(2);
    expect(new Set(submissions.map(({ prompt }) => prompt))).toEqual(
      new Set(["dance of Ann", "dance of Bob"]),
    );
    // An answer that is lost, of a message that nothing is told of: nobody can know that it is there.
    const canKnow = liberties.lostPostEvery === 0 || liberties.statuses !== "none";
    const most = canKnow ? 1 : 2;
    for (const person of people) expect(person.chat().filter(isFilm).length).toBeLessThanOrEqual(most);
  });

  it("keeps what somebody says in its order where webhooks come in none, as far as times tell it", async ({
    expect,
  }) => {
    await using at = await harness({ liberties: { ...USUAL, order: "reversed", repeatsWebhooks: true } });
    const ann = await at.regular("Ann");
    ann.sendsPhoto(photo, { caption: "slow zoom" });
    await ann.sees("2.7 tokens");
    await at.whatsapp.untilHeard();
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
  });
});
