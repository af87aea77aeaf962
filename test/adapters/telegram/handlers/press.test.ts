import { describe, expect, it } from "vitest";
import { testPicture } from "../../../support/sandbox.ts";
import { submitted } from "../../../support/submitted.ts";
import { isResult } from "../draft-harness.ts";
import { harness } from "../words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");

/** How long the chat is refused everything, in seconds: longer than a test waits. */
const FLOOD = { kind: "flood", retryAfter: 600 } as const;

/** Ann, with a finished film. */
async function withFilm() {
  const on = await harness();
  const ann = await on.regular({ name: "Ann" });
  ann.says("/videoaudio rain on a roof");
  await ann.presses(/Generate/);
  const film = await ann.sees(isResult);
  const deliveries = () => on.database.kysely.selectFrom("jobs").select("delivery").execute();
  await expect.poll(deliveries).toEqual([{ delivery: "delivered" }]);
  const fromBot = () => ann.chat().filter(({ from }) => from === "bot");
  return { ...on, ann, film, fromBot };
}

describe("the button that spends", () => {
  it("is answered before anything else, also while edits wait for their turn", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    const draft = await ann.sees("“slow zoom”");
    on.telegram.fails("editMessageText", FLOOD);
    ann.says("fast zoom");
    const edits = () => on.telegram.calls("editMessageText").length;
    await on.telegram.until(() => edits() === 1);
    // It must wait now, and what follows waits behind it.
    await ann.presses(/Generate/, { on: draft });
    await on.telegram.until(() => on.telegram.calls("answerCallbackQuery").length === 1);
    expect(edits()).toBe(1);
    expect(on.telegram.calls("sendMessage")).toHaveLength(1);
  });

  it("says that it has begun to all who press again, and that only", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    const draft = await ann.sees("“slow zoom”");
    await Promise.all([1, 2].map(() => ann.presses(/Generate/, { on: draft })));
    await ann.hears("This has already started");
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
    // Each was answered once.
    const answers = on.telegram.calls("answerCallbackQuery").map(({ params }) => params["callback_query_id"]);
    expect(new Set(answers).size).toBe(answers.length);
  });
});

describe("Delete", () => {
  it("pressed twice asks once", async () => {
    await using on = await withFilm();
    const { ann, film, fromBot } = on;
    await Promise.all([1, 2].map(() => ann.presses("Delete", { on: film })));
    await ann.sees("Delete this for good");
    ann.says("/balance");
    await ann.sees("play money");
    expect(fromBot().filter(({ text }) => text.startsWith("Delete this for good"))).toHaveLength(1);
  });

  it("pressed below the result and then in the list asks below both", async () => {
    await using on = await withFilm();
    const { ann, film, fromBot } = on;
    ann.says("/jobs");
    const list = await ann.sees("Your jobs");
    await ann.presses("Delete", { on: film });
    await ann.sees("Delete this for good");
    await ann.presses("Delete", { on: list });
    const questions = () => fromBot().filter(({ text }) => text.startsWith("Delete this for good"));
    await expect.poll(() => questions().length).toBe(2);
  });

  it("leaves one sentence, and nothing to be pressed", async () => {
    await using on = await withFilm();
    const { ann, film, fromBot } = on;
    const before = new Set(fromBot().map(({ id }) => id));
    await ann.presses("Delete", { on: film });
    const question = await ann.sees("Delete this for good");
    await ann.presses("Delete for good");
    await ann.hears("Deleted, here and at the service.");
    await ann.losesSightOf(question);
    const [left, ...others] = fromBot().filter(({ id }) => !before.has(id) || id === film.id);
    expect(others).toEqual([]);
    expect(left).toMatchObject({ text: "Deleted.", buttons: [] });
  });

  it("for good, tapped twice, is said once more over the chat, to be confirmed by nobody", async () => {
    await using on = await withFilm();
    const { ann, film, fromBot } = on;
    await ann.presses("Delete", { on: film });
    const question = await ann.sees("Delete this for good");
    await Promise.all([1, 2].map(() => ann.presses("Delete for good", { on: question })));
    expect(await ann.hears(/^Deleted\.$/)).toMatchObject({ alert: false });
    await expect.poll(() => on.isBusy()).toBe(false);
    expect(fromBot().filter(({ text }) => text.includes("no longer"))).toEqual([]);
  });
});
