import { describe, expect, it } from "vitest";
import { testPicture } from "../../../support/sandbox.ts";
import { submitted } from "../../../support/submitted.ts";
import { isResult } from "../draft-harness.ts";
import { FAST, harness } from "../words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");

/** Ann, with a form in her chat. */
async function withForm() {
  const on = await harness({ pace: { ...FAST, pausesMs: [1, 1, 1, 1, 1] } });
  const ann = await on.regular({ name: "Ann" });
  await ann.sendsPhoto(photo, { caption: "slow zoom" });
  const form = await ann.sees("“slow zoom”");
  const now = () => ann.chat().find(({ id }) => id === form.id);
  return { ...on, ann, form, buttons: () => now()?.buttons.flat() };
}

/** More refusals than a call is made again after. */
const REFUSED = [{ kind: "internal" }, 20] as const;

describe("a form that is over, and whose message could not be changed then", () => {
  it("says that it has started where it is pressed, loses its buttons, and starts nothing", async () => {
    await using on = await withForm();
    on.telegram.fails("editMessageText", ...REFUSED);
    await on.ann.presses(/Generate/, { on: on.form });
    await on.ann.sees(isResult);
    await expect.poll(() => on.isBusy()).toBe(false);
    expect(on.buttons()).not.toEqual([]);
    await on.ann.presses(/Generate/, { on: on.form });
    await on.ann.hears("This has already started");
    await expect.poll(on.buttons).toEqual([]);
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("says that it was cancelled where it is pressed, loses its buttons, and starts nothing", async () => {
    await using on = await withForm();
    on.telegram.fails("editMessageText", ...REFUSED);
    await on.ann.presses("Cancel", { on: on.form });
    await expect.poll(() => on.isBusy()).toBe(false);
    expect(on.buttons()).not.toEqual([]);
    await on.ann.presses(/Generate/, { on: on.form });
    await on.ann.hears("Cancelled. Nothing was charged.");
    await expect.poll(on.buttons).toEqual([]);
  });
});
