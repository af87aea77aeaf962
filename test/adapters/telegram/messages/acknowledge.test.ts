import { describe, expect, it } from "vitest";
import { post } from "../../../../adapters/telegram/messages/post.ts";
import { result } from "../../../support/results.ts";
import { harness, replace } from "../results-harness.ts";

const running = { kind: "progress", job: result("video").job, phase: "queued" } as const;

describe("an order that begins", () => {
  it("is acknowledged by a reaction to what its person sent, once", async () => {
    await using at = await harness();
    const receipt = await post(at.services, at.address, running);
    const reaction = () => at.ann.chat().find(({ id }) => id === at.photo.id)?.reaction;
    await expect.poll(reaction).toBe("👍");
    await replace(at.services, receipt, { ...running, phase: "running", percent: 20 });
    await replace(at.services, receipt, result("video"));
    expect(at.telegram.calls("setMessageReaction")).toHaveLength(1);
  });

  it("goes on where that is gone, where the group allows no such reaction, and where Telegram fails", async () => {
    await using at = await harness();
    const group = at.telegram.group({ title: "Friends", reactions: [] });
    const { id: replyTo } = at.ann.in(group).says("/video");
    const place = { chat: group.chat.id, user: at.ann.user.id, replyTo, locale: "en" } as const;
    at.telegram.fails("setMessageReaction", { kind: "internal" });
    await post(at.services, at.address, running);
    await expect.poll(() => at.telegram.calls("setMessageReaction")).toHaveLength(1);
    at.ann.deletes(at.photo);
    await post(at.services, at.address, running);
    await post(at.services, place, running);
    const refusals = () => at.telegram.calls("setMessageReaction").map(({ error }) => error?.message);
    await expect
      .poll(refusals)
      .toEqual([
        "Internal Server Error",
        "Bad Request: message to react not found",
        "Bad Request: REACTION_INVALID",
      ]);
    expect(at.answers()).toHaveLength(2);
    expect(at.lines.join("")).not.toContain("setMessageReaction");
  });

  it("is not acknowledged where nobody sent anything", async () => {
    await using at = await harness();
    const { replyTo: _, ...nowhere } = at.address;
    await post(at.services, nowhere, running);
    await post(at.services, at.address, { kind: "notice", text: { key: "job.cancelled" } });
    expect(at.telegram.calls("setMessageReaction")).toEqual([]);
  });
});
