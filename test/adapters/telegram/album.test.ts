import { describe, expect, it, vi } from "vitest";
import { sleep } from "../../../src/common/time.ts";
import { testPicture } from "../../support/sandbox.ts";
import { submitted } from "../../support/submitted.ts";
import { harness } from "./words-harness.ts";

// The parts come at once here; how long they are waited for is held in `album-handler.test.ts`.
vi.mock("../../../adapters/telegram/media/album.ts", async (original) => ({
  ...(await original<object>()),
  ALBUM_PAUSE_MS: 300,
}));

const photos = await Promise.all(
  [200, 240, 280].map(async (width) => Buffer.from(await testPicture(width, 160), "base64")),
);

describe("an album", () => {
  it("is gathered whole and offered for what takes several pictures", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const [first] = await ann.sendsAlbum(photos);
    const offers = await ann.sees("What shall I make from these 3 pictures?");
    expect(offers.replyTo).toBe(first?.id);
    expect(offers.buttons.flat()).toEqual(
      expect.arrayContaining(["Video from pictures and sounds ⭐", "Edit pictures"]),
    );
    expect(offers.buttons.flat()).not.toContain("Photo to video");
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
    await ann.presses("Edit pictures");
    await ann.sees("Pictures: 3 pictures");
  });

  it("with a caption is described already", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsAlbum(photos, { caption: "they meet on a bridge" });
    await ann.presses(/Generate/);
    expect(await submitted(on, 1)).toEqual(["they meet on a bridge"]);
  });

  it("is cancelled before it is shown, and is not shown then", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsAlbum(photos, { caption: "one" });
    ann.says("/cancel");
    await ann.sees("Cancelled. Nothing was charged.");
    ann.says("/cancel");
    await ann.sees("Nothing is being prepared here.");
    await sleep(1_000);
    expect(ann.chat().filter(({ text }) => text.includes("“one”"))).toEqual([]);
  });

  it("of more pictures than anything takes says how many are used", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await ann.sendsAlbum(Array.from({ length: 7 }, () => photos[0] ?? Buffer.alloc(0)));
    const offers = await ann.sees("What shall I make from these 7 pictures? Only the first 5 fit.");
    expect(offers.buttons.flat()).toContain("Video from pictures and sounds ⭐");
    expect(offers.buttons.flat()).not.toContain("Edit pictures");
  });

  it("survives a restart while its parts come", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    await ann.sendsAlbum(photos);
    await on.restart();
    await ann.sees("What shall I make from these 3 pictures?");
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
  });

  it("goes to the draft that asks for pictures", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/faceswap");
    await ann.sees("Send the picture that gets the face.");
    await ann.sendsAlbum(photos.slice(0, 2));
    const ready = await ann.sees(({ buttons }) =>
      buttons.flat().some((label) => label.includes("swap the faces")),
    );
    expect(ready.text).toContain("Picture of the face: the second picture you sent");
  });
});
