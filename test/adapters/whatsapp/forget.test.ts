import { expect, it } from "vitest";
import { begins, harness, isFilm, photo } from "./harness.ts";

/** Everything that is kept, as text: each table, row by row. */
async function kept({ adapter }: Awaited<ReturnType<typeof harness>>): Promise<string> {
  const { kysely } = adapter.database;
  const tables = await kysely.introspection.getTables();
  const rows = await Promise.all(
    tables.map(({ name }) =>
      kysely
        .selectFrom(name as "jobs")
        .selectAll()
        .execute(),
    ),
  );
  return JSON.stringify(rows);
}

it("/forget asks twice, erases all of a person's, says so, and leaves the others alone", async () => {
  await using at = await harness();
  const [ann, bob] = [await at.regular("Ann"), await at.regular("Bob")];
  await begins(bob, "leaves moving");
  await bob.sees(isFilm);
  ann.says("Hola");
  await ann.sees("Send me a photo");
  const sent = await begins(ann, "slow zoom");
  await ann.sees(isFilm);
  await ann.presses("More");
  await ann.sees(({ list }) => list !== undefined, { fresh: true });
  const open = ann.sendsPhoto(photo, { caption: "a draft of hers" });
  await ann.sees("a draft of hers", { fresh: true });
  ann.says("/language de");
  await ann.sees("Gespeichert");
  const before = await kept(at);
  for (const trace of [ann.waId, "slow zoom", "a draft of hers", "Hola", sent.id, open.id])
    expect(before).toContain(trace);

  ann.says("/forget");
  const asked = await ann.sees("Soll alles gelöscht werden", { fresh: true });
  await ann.presses("Hier löschen", { on: asked });
  const sure = await ann.sees("nicht rückgängig machen. Endgültig", { fresh: true });
  await ann.presses("Nein", { on: sure });
  await ann.sees(() => true, { fresh: true });
  expect(await kept(at)).toContain("slow zoom");

  await ann.presses("Hier löschen", { on: asked });
  await ann.presses("Ja", { on: await ann.sees("nicht rückgängig machen. Endgültig", { fresh: true }) });
  const done = await ann.sees("hat nichts mehr über dich", { fresh: true });
  expect(done.text).toContain("Im Chat noch zu sehen: dort kannst nur du es löschen");
  await at.whatsapp.untilHeard();
  await expect.poll(() => at.isBusy()).toBe(false);
  const after = await kept(at);
  for (const trace of [ann.waId, "slow zoom", "a draft of hers", "Hola"])
    expect(after, trace).not.toContain(trace);
  for (const trace of [bob.waId, "leaves moving"]) expect(after).toContain(trace);

  // What is said later is said to somebody new.
  await ann.presses("Hier löschen", { on: asked });
  await ann.sees(() => true, { fresh: true });
  ann.says("Hola");
  await ann.sees("Send me a photo and a line of text", { fresh: true });
});
