import { describe, expect, it } from "vitest";
import { testPicture } from "../../../support/sandbox.ts";
import { submitted } from "../../../support/submitted.ts";
import { harness } from "../words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");

/** So slow that nothing but the first message in a chat is sent while a test runs. */
const FULL = { burst: 1, perChatMs: 600_000, perSecond: 1_000, perMinuteInGroup: 1_000 };

describe("the button that spends", () => {
  it("is answered before anything else, also while edits wait for their turn", async () => {
    await using on = await harness({ pace: FULL });
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    const draft = await ann.sees("“slow zoom”");
    // Its edit has no turn any more, and what follows waits behind it.
    ann.says("fast zoom");
    await ann.presses(/Generate/, { on: draft });
    await on.telegram.until(() => on.telegram.calls("answerCallbackQuery").length === 1);
    expect(on.telegram.calls("editMessageText")).toEqual([]);
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
