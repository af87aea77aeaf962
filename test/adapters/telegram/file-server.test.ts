import { describe, expect, it } from "vitest";
import { testPicture } from "../../support/sandbox.ts";
import { submitted } from "../../support/submitted.ts";
import { isResult } from "./draft-harness.ts";
import { harness } from "./words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");

describe("a photo that Telegram's file server does not hand out", () => {
  it("is fetched again, and nobody notices", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    on.telegram.filesFail({ kind: "status", status: 500 }, 2);
    await ann.sendsPhoto(photo);
    await ann.presses("Photo to video");
    ann.says("slow zoom");
    await ann.sees(/“slow zoom”/);
    on.telegram.filesFail({ kind: "cut" });
    on.telegram.filesFail({ kind: "reset" });
    await ann.presses(/Generate/);
    await ann.sees(isResult);
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("for long costs nothing, and is made with its words once it can be had", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(photo);
    await ann.presses("Photo to video");
    ann.says("slow zoom");
    await ann.sees(/“slow zoom”/);
    on.telegram.filesFail({ kind: "status", status: 503 }, 1_000);
    await ann.presses(/Generate/);
    await ann.sees(/could not be fetched.*Nothing was charged/s);
    expect(await submitted(on, 0)).toEqual([]);
    on.telegram.filesWork();
    // The draft stands as it was, and its button tries again.
    await ann.presses(/Generate/);
    await ann.sees(isResult);
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("but says nothing holds its person up for seconds, not for a minute", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    on.telegram.filesFail({ kind: "silence" }, 1_000);
    const began = performance.now();
    ann.sendsDocument(photo, { fileName: "cat.jpg", mimeType: "image/jpeg", caption: "slow zoom" });
    await ann.sees(/2.7 tokens/);
    expect(performance.now() - began).toBeLessThan(30_000);
    await ann.presses(/Generate/);
    await ann.sees(/could not be fetched.*Nothing was charged/s);
    on.telegram.filesWork();
    await ann.presses(/Generate/);
    await ann.sees(isResult);
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });
});
