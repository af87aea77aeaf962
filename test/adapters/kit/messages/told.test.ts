import { expect, it } from "vitest";
import { LostAnswers } from "../../../../adapters/kit/throttle/told.ts";

const lost = new Error("The connection broke.");
const answered = new Error("The platform refused it.");

/** Posts as it is told to, call after call. */
function poster(...calls: (() => string)[]) {
  const answers = new LostAnswers();
  let posts = 0;
  const post = async () => {
    posts += 1;
    return calls[posts - 1]?.() ?? "?";
  };
  return {
    answers,
    posted: (ms: number) => answers.post("job", ms, post, (error) => error === answered),
    posts: () => posts,
  };
}

function fails(error: Error): never {
  throw error;
}

it("posts once where the answer is lost and it was told of before, after which nothing is told any more", async () => {
  const { answers, posted, posts } = poster(() => {
    answers.hear("job", "first");
    return fails(lost);
  });
  // Longer than a test may take: what was told is not waited for.
  expect(await posted(600_000)).toBe("first");
  expect(posts()).toBe(1);
});

it("posts once where it is told of after the answer was lost", async () => {
  const { answers, posted, posts } = poster(() => {
    setImmediate(() => answers.hear("job", "first"));
    return fails(lost);
  });
  expect(await posted(600_000)).toBe("first");
  expect(posts()).toBe(1);
});

it("posts again where nothing is told of it", async () => {
  const { posted, posts } = poster(
    () => fails(lost),
    () => "second",
  );
  expect(await posted(1)).toBe("second");
  expect(posts()).toBe(2);
});

it("takes the platform's answer as it is", async () => {
  const { posted, posts } = poster(() => fails(answered));
  await expect(posted(600_000)).rejects.toBe(answered);
  expect(posts()).toBe(1);
});
