import { describe, expect, it } from "vitest";
import { post } from "../../../../adapters/telegram/messages/post.ts";
import { result } from "../../../support/results.ts";
import { harness, replace } from "../results-harness.ts";

const running = { kind: "progress", job: result("video").job, phase: "running" } as const;

describe("a result that is shown again", () => {
  it("is sent once, and pointed at when it is delivered again", async () => {
    await using at = await harness();
    await post(at.services, at.address, result("video"));
    await post(at.services, at.address, result("video"));
    expect(at.files()).toHaveLength(1);
    expect((await at.ann.sees("Here it is")).replyTo).toBe(at.files()[0]?.id);
  });

  it("is pointed at when it is shown again that took the place of its progress", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, running);
    const shown = await replace(at.services, receipt, result("video"));
    await replace(at.services, shown, result("video"));
    expect(at.files()).toHaveLength(1);
    expect((await at.ann.sees("Here it is")).replyTo).toBe(at.files()[0]?.id);
    const [film] = at.files();
    if (film) at.ann.deletes(film);
    await replace(at.services, shown, result("video"));
    expect(at.files()).toHaveLength(1);
  });

  it("is sent again when the person has deleted it", async () => {
    await using at = await harness();
    await post(at.services, at.address, result("video"));
    const [first] = at.files();
    if (!first) throw new Error("Nothing came.");
    at.ann.deletes(first);
    await post(at.services, at.address, result("video"));
    expect(at.files()).toHaveLength(1);
  });
});
