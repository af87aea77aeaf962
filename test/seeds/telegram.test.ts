import { describe, expect, it, onTestFailed } from "vitest";
import { FakeTelegram } from "../support/telegram/fake-telegram.ts";
import { drawTelegram } from "../support/telegram/liberties.ts";
import type { Person } from "../support/telegram/person.ts";
import { testPicture } from "../support/sandbox.ts";
import { submitted } from "../support/submitted.ts";
import { allTold, jobOf } from "../support/told.ts";
import { isResult } from "../adapters/telegram/draft-harness.ts";
import { PATIENT, harness } from "../adapters/telegram/words-harness.ts";
import { keep, seedsOfRun } from "./seeds.ts";

const photo = Buffer.from(await testPicture(), "base64");

/** The jobs whose results somebody sees where they are, also those that were edited since. */
const jobsOf = (person: Person) =>
  person
    .chat()
    .filter(({ from, media }) => from === "bot" && media !== undefined)
    .flatMap(
      ({ keyboard }) => jobOf(keyboard.flat().flatMap(({ callback_data: token = [] }) => token)) ?? [],
    );

describe("whatever Telegram's description leaves open", () => {
  it.each(seedsOfRun())("seed %i: each order is one job, and each result comes once", async (seed) => {
    onTestFailed(() => keep(seed));
    const telegram = await FakeTelegram.start({ limits: PATIENT, liberties: drawTelegram(seed) });
    await using on = await harness({ telegram });
    const ann = await on.regular({ name: "Ann" });
    await ann.sendsPhoto(photo);
    await ann.presses("Photo to video");
    await ann.sees("Write what should happen.");
    ann.says("slow zoom");
    await ann.presses(/Generate/, { on: await ann.sees("“slow zoom”") });
    const result = await ann.sees(isResult);
    await ann.presses(/^New variation · \d/, { on: result });
    await telegram.until(() => jobsOf(ann).length === 2);

    const group = telegram.group({ title: "Friends", forum: seed % 2 === 0 });
    const there = ann.in(group);
    await there.sees("Reply to a photo with /video");
    there.replies(await there.sendsPhoto(photo), "/video pan left");
    await there.presses(/Generate/);
    await there.sees(isResult);
    const [first, again, third] = await allTold(on, 3);
    expect(await submitted(on, 3)).toEqual(["slow zoom", "slow zoom", "pan left"]);
    expect(jobsOf(ann)).toEqual([first, again]);
    expect(jobsOf(there)).toEqual([third]);

    await ann.presses("Delete", { on: result });
    await ann.presses("Delete for good");
    await ann.hears("Deleted, here and at the service.");
    expect(jobsOf(ann)).toEqual([again]);
    expect(jobsOf(there)).toEqual([third]);
  });
});
