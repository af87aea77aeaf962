import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { moderatedResults } from "../../../../src/domain/policy/moderation/results.ts";
import type { ModerationVerdict } from "../../../../src/domain/policy/moderation/verdict.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const { signal } = new AbortController();
const path = join(temporaryFolder(), "picture");

/** What is told of a result of which the endpoint says so. */
async function told(verdict: ModerationVerdict, whenDown: "closed" | "open" = "closed") {
  await writeFile(path, "a picture");
  const shown: unknown[] = [];
  const moderator = {
    examine: async (
      { text: words, pictures }: { text: string; pictures: readonly (() => Promise<never>)[] },
      end?: AbortSignal,
    ) => {
      shown.push(words, end === signal, await Promise.all(pictures.map(async (open) => text(await open()))));
      return verdict;
    },
  };
  const settings = { url: "https://m.example/v1/moderations", model: "omni", whenDown } as const;
  const examiner = moderatedResults(moderator, settings);
  expect(examiner).toMatchObject({
    name: "moderation omni at m.example",
    mature: ["sexual"],
    unseen: whenDown === "open" ? "passed_by" : "unchecked",
  });
  const found = await examiner.look({ path, digest: "ab".repeat(32), kind: "JPEG" }, signal);
  expect(shown).toEqual(["", true, ["a picture"]]);
  return found;
}

const unseen = (code: "moderation_down" | "media_unreadable") =>
  ({ kind: "unseen", code, params: {} }) as const;

describe("a result before the moderation endpoint", () => {
  it("is flagged for what its picture was", async () => {
    expect(await told({ kind: "passed" })).toEqual([]);
    const rest = { kind: "passed" } as const;
    expect(await told({ kind: "flagged", words: ["x"], pictures: ["a", "b"], rest })).toEqual(["a", "b"]);
  });

  it("passes unseen in an outage alone, and where the operator says so", async () => {
    expect(await told({ kind: "down" })).toBe("unchecked");
    expect(await told({ kind: "down" }, "open")).toBe("passed_by");
    for (const verdict of [{ kind: "busy" }, { kind: "unreadable" }, unseen("moderation_down")] as const)
      expect(await told(verdict, "open")).toBe("unchecked");
  });

  it("is for somebody to look at where the endpoint could not be shown it", async () => {
    expect(await told(unseen("media_unreadable"), "open")).toEqual(["unseen"]);
  });
});
