import { describe, expect, it } from "vitest";
import type { Person, SeenMessage } from "../../support/whatsapp/person.ts";
import { begins, harness, isFilm, photo } from "./harness.ts";

/** What somebody was told, but for what they forged. */
const told = (person: Person) => person.chat().filter(({ from }) => from === "bot");

/** Ann, whose film is made, and Bob, who has not asked for anything. */
async function filmed() {
  const at = await harness({ settings: { REELAY_LOG_LEVEL: "error" } });
  const [ann, bob] = [await at.regular("Ann"), await at.regular("Bob")];
  await begins(ann, "slow zoom");
  const film = await ann.sees(isFilm);
  bob.says("/balance");
  const theirs = await bob.sees("tokens");
  return { ...at, at, ann, bob, film, theirs, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

/** The job that a film's buttons are about. */
function jobOf({ choices }: SeenMessage): string {
  const [, job] = choices.map(({ id }) => /^[a-z-]+:([^@]+)/.exec(id)).find(Boolean) ?? [];
  if (job === undefined) throw new Error("No button of it is about a job.");
  return job;
}

describe("a choice that somebody else was offered", () => {
  it("begins nothing of a draft that is not theirs, and tells nothing of it", async () => {
    await using at = await harness();
    const [ann, bob] = [await at.regular("Ann"), await at.regular("Bob")];
    ann.sendsPhoto(photo, { caption: "slow zoom" });
    const offer = await ann.sees("2.7 tokens");
    for (const { id } of offer.choices) bob.forges(id, offer, "list_reply");
    await bob.sees("belongs to somebody else");
    bob.says("/balance");
    await bob.sees("tokens", { fresh: true });
    expect(offer.choices.length).toBeGreaterThan(3);
    for (const { text } of told(bob).slice(0, -1)) expect(text).toContain("belongs to somebody else");
    expect((await at.sandbox.ledger()).submissions).toEqual([]);
    await ann.presses(/generate/i, { on: offer });
    await ann.sees(isFilm);
  });

  it("shows, makes and deletes nothing of a film that is not theirs", async () => {
    await using on = await filmed();
    const { ann, bob, film, theirs, at } = on;
    const job = jobOf(film);
    const asked = ["again", "new-seed", "go-on", "change", "details", "send", "cancel", "report"];
    const tokens = [...asked, "delete", "delete-now"].map((name) => `${name}:${job}`);
    for (const token of [...tokens, `~y:delete-now:${job}`]) bob.forges(token, theirs);
    bob.says("/privacy");
    await bob.sees("This is what Reelay keeps", { fresh: true });
    for (const message of told(bob)) {
      expect(isFilm(message)).toBe(false);
      expect(message.text).not.toContain("slow zoom");
    }
    expect((await at.sandbox.ledger()).submissions).toHaveLength(1);
    ann.says("/jobs");
    expect((await ann.sees("slow zoom", { fresh: true })).from).toBe("bot");
    expect(at.adapter.lines).toEqual([]);
  });

  it("shows nothing of a list that is not theirs", async () => {
    await using on = await filmed();
    const { ann, bob, film, theirs } = on;
    const more = film.choices.find(({ id }) => id.startsWith("~p:"));
    bob.forges(more?.id ?? "", theirs);
    await bob.sees("too old", { fresh: true });
    await ann.presses("More", { on: film });
    expect(
      (await ann.sees(({ list }) => list !== undefined, { fresh: true })).buttons.length,
    ).toBeGreaterThan(3);
  });
});

describe("a choice that nobody was offered", () => {
  it("comes to nothing but a sentence, whatever it says", async () => {
    await using on = await filmed();
    const { ann, at, film } = on;
    const [id = ""] = film.choices.flatMap((choice) => (choice.id.startsWith("~p:") ? [choice.id] : []));
    const list = id.replace(/:\d+$/, "");
    const forged = [
      ...["999", "-1", "1.5", "NaN", "", "1e3", "0x1"].map((from) => `${list}:${from}`),
      "~p:",
      "~w:jobs",
      "~w:__proto__",
      "~s:disconnect-everything",
      "~c:language:xx",
      "~c:settings:1",
      "~y:forget-now:1",
      "~y:",
      "~d:submit",
      "~b:templates:9999:1",
      "~~~",
      "~",
      "0123456789abcdef|~d:submit",
      "0123456789abcdef|",
      "|||",
      "constructor:toString",
      "__proto__",
      "delete-now:../../1",
      "again:1@0",
      " ",
      "x".repeat(256),
      "\u202e\u0000",
    ];
    for (const one of forged) ann.forges(one, film);
    await ann.sees("too old", { fresh: true });
    ann.says("/balance");
    await ann.sees("tokens", { fresh: true });
    await at.whatsapp.untilHeard();
    expect(at.adapter.lines).toEqual([]);
    expect(at.whatsapp.calls().filter(({ error }) => error)).toEqual([]);
    expect((await at.sandbox.ledger()).submissions).toHaveLength(1);
  });
});
