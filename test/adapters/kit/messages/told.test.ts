import { describe, expect, it } from "vitest";
import { LostAnswers } from "../../../../adapters/kit/messages/told.ts";
import { ChatNotes } from "../../../../adapters/kit/messages/notes.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const lost = new Error("The connection broke.");
const answered = new Error("The platform refused it.");
/** Longer than a test may take. */
const FOR_GOOD_MS = 600_000;

/** Posts as it is told to, call after call. */
function poster(...calls: (() => string | Promise<string>)[]) {
  let posts = 0;
  const post = async () => {
    posts += 1;
    return (await calls[posts - 1]?.()) ?? "?";
  };
  return {
    posted: (answers: LostAnswers, ms: number, { once = false, name = "job" } = {}) =>
      answers.post({ chat: "1650", name, once }, ms, post, (error) => error === answered),
    posts: () => posts,
  };
}

function fails(error: Error): never {
  throw error;
}

describe("a message whose answer is lost", () => {
  it("is posted once where it was told of before, after which nothing is told any more", async () => {
    const answers = new LostAnswers();
    const { posted, posts } = poster(async () => {
      await answers.hear("1650", "job", "first");
      return fails(lost);
    });
    // What was told is not waited for.
    expect(await posted(answers, FOR_GOOD_MS)).toBe("first");
    expect(posts()).toBe(1);
  });

  it("is posted once where it is told of after the answer was lost", async () => {
    const answers = new LostAnswers();
    const { posted, posts } = poster(() => {
      setImmediate(() => void answers.hear("1650", "job", "first"));
      return fails(lost);
    });
    expect(await posted(answers, FOR_GOOD_MS)).toBe("first");
    expect(posts()).toBe(1);
  });

  it("is posted again where nothing is told of it", async () => {
    const { posted, posts } = poster(
      () => fails(lost),
      () => "second",
    );
    expect(await posted(new LostAnswers(), 1)).toBe("second");
    expect(posts()).toBe(2);
  });

  it("is as the platform answered where it did", async () => {
    const { posted, posts } = poster(() => fails(answered));
    await expect(posted(new LostAnswers(), FOR_GOOD_MS)).rejects.toBe(answered);
    expect(posts()).toBe(1);
  });
});

/** Processes that share a database, one after another or side by side. */
async function processes() {
  const database = await openDatabase(`${temporaryFolder()}/reelay.db`);
  const notes = new ChatNotes(memory(database, "told"));
  return { next: () => new LostAnswers(notes), [Symbol.asyncDispose]: () => database.close() };
}

/** Posts as a process does that ends before it has an answer. */
async function ends(answers: LostAnswers): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const { posted } = poster(() => {
    begun.resolve();
    return new Promise(() => {});
  });
  void posted(answers, FOR_GOOD_MS, { once: true });
  await begun.promise;
}

describe("what is posted once", () => {
  it("is not posted by the next process where the one before ended, and it is told of before", async () => {
    await using at = await processes();
    await ends(at.next());
    await at.next().hear("1650", "job", "first");
    const { posted, posts } = poster();
    expect(await posted(at.next(), FOR_GOOD_MS, { once: true })).toBe("first");
    expect(posts()).toBe(0);
  });

  it("is not posted by the next process where the one before had an answer, and nothing is told of it", async () => {
    await using at = await processes();
    const { posted, posts } = poster(() => "first");
    await posted(at.next(), 0, { once: true });
    expect(await posted(at.next(), 0, { once: true })).toBe("first");
    expect(posts()).toBe(1);
  });

  it("is not posted by the next process where it is told of while that looks", async () => {
    await using at = await processes();
    await ends(at.next());
    const next = at.next();
    const { posted, posts } = poster();
    const there = posted(next, FOR_GOOD_MS, { once: true });
    await next.hear("1650", "job", "first");
    expect(await there).toBe("first");
    expect(posts()).toBe(0);
  });

  it("is posted by the next process where nothing is told of it", async () => {
    await using at = await processes();
    await ends(at.next());
    const { posted, posts } = poster(() => "second");
    expect(await posted(at.next(), 1, { once: true })).toBe("second");
    expect(posts()).toBe(1);
  });

  it("is found where another process is told of it, once the time is over", async () => {
    await using at = await processes();
    const other = at.next();
    const { posted, posts } = poster(async () => {
      await other.hear("1650", "job", "first");
      return fails(lost);
    });
    expect(await posted(at.next(), 1, { once: true })).toBe("first");
    expect(posts()).toBe(1);
  });

  it("is free again where the platform refused it, and of another name", async () => {
    await using at = await processes();
    const { posted, posts } = poster(
      () => fails(answered),
      () => "second",
      () => "third",
    );
    const answers = at.next();
    await expect(posted(answers, FOR_GOOD_MS, { once: true })).rejects.toBe(answered);
    expect(await posted(answers, FOR_GOOD_MS, { once: true })).toBe("second");
    expect(await posted(answers, FOR_GOOD_MS, { once: true, name: "next" })).toBe("third");
    expect(posts()).toBe(3);
  });
});
