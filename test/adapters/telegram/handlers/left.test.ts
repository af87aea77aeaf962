import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { picture } from "../../../support/results.ts";
import { submitted } from "../../../support/submitted.ts";
import { heldRenderer } from "../../../transcripts/held.ts";
import { isResult } from "../draft-harness.ts";
import { harness } from "../words-harness.ts";

const PING = "Tell me when it is done";

/** Ann has a job under way, and a message of it that Telegram took without anybody hearing of that. */
async function withTwin() {
  const { render, holds } = heldRenderer();
  const on = await harness({ render });
  const ann = await on.regular({ name: "Ann" });
  const letGo = holds();
  await ann.sendsPhoto(await readFile(picture), { caption: "slow zoom" });
  const draft = await ann.sees((message) => message.buttons.flat().some((text) => text.startsWith("✨")));
  on.telegram.fails("sendMessage", { kind: "reset after" });
  await ann.presses(/^✨/, { on: draft });
  await submitted(on, 1);
  await ann.sees(({ buttons }) => buttons.flat().includes(PING));
  const twin = ann.chat().find(({ buttons }) => buttons.flat().includes(PING));
  if (!twin?.buttons.flat().includes("Cancel")) throw new Error("There is no twin with buttons.");
  return {
    ...on,
    ann,
    letGo,
    twin,
    buttons: () =>
      ann
        .chat()
        .find(({ id }) => id === twin.id)
        ?.buttons.flat(),
  };
}

it("says over the chat that it is too late to cancel, once for a double tap, and posts nothing", async () => {
  await using on = await withTwin();
  await on.ann.presses("Cancel", { on: on.twin });
  expect((await on.ann.hears("It is too late to cancel")).alert).toBe(true);
  await on.ann.presses("Cancel", { on: on.twin });
  on.letGo();
  await on.ann.sees(isResult);
  await expect.poll(() => on.isBusy()).toBe(false);
  expect(on.ann.chat().filter(({ text }) => text.includes("too late"))).toEqual([]);
});

it("takes the button that came too late from the message, and what is not so any more", async () => {
  await using on = await withTwin();
  expect(on.twin.text).toContain("Next in line");
  await on.ann.presses("Cancel", { on: on.twin });
  await on.ann.hears("It is too late to cancel");
  await expect.poll(on.buttons).toEqual([PING]);
  const now = on.ann.chat().find(({ id }) => id === on.twin.id)?.text;
  on.letGo();
  expect(now).toBe(on.twin.text.replace("⏳ Next in line", "Being made…"));
  await on.ann.sees(isResult);
});

it("says of what is over that it is, and takes the buttons of a message that was left", async () => {
  await using on = await withTwin();
  on.letGo();
  await on.ann.sees(isResult);
  await expect.poll(() => on.isBusy()).toBe(false);
  await on.ann.presses("Cancel", { on: on.twin });
  await on.ann.hears("This is already over");
  await expect.poll(on.buttons).toEqual([]);
});

it("points at the result where a message that was left is pressed to be called", async () => {
  await using on = await withTwin();
  on.letGo();
  const film = await on.ann.sees(isResult);
  await expect.poll(() => on.isBusy()).toBe(false);
  await on.ann.presses(PING, { on: on.twin });
  expect((await on.ann.sees("☝️ Here it is.")).replyTo).toBe(film.id);
  await expect.poll(on.buttons).toEqual([]);
});
