import { describe, expect, it } from "vitest";
import { testPicture } from "../../support/sandbox.ts";
import { submitted } from "../../support/submitted.ts";
import { FakeTelegram } from "../../support/telegram/fake-telegram.ts";
import type { SeenMessage } from "../../support/telegram/seen.ts";
import { isResult } from "./draft-harness.ts";
import { PATIENT, harness } from "./words-harness.ts";

const photo = Buffer.from(await testPicture(), "base64");

const ofBot = ({ from }: SeenMessage) => from === "bot";

/** A bot whose operator is Olga: she is told of reports, and keeps Bob out. */
async function hosted() {
  const telegram = await FakeTelegram.start({ limits: PATIENT });
  const olga = telegram.person({ name: "Olga" });
  const bob = telegram.person({ name: "Bob" });
  const settings = {
    REELAY_OPERATORS: `telegram:${olga.user.id}`,
    REELAY_REPORTS_TO: `telegram:${olga.user.id}`,
    REELAY_REPORTS_TO_WITHHOLD: "2",
    REELAY_BLOCKED: `telegram:${bob.user.id}`,
    REELAY_BLOCKED_WORDS: "dragon",
    REELAY_OPERATIONS_OFF: "telegram:image",
  };
  const on = await harness({ telegram, settings });
  // Bots cannot begin a conversation.
  olga.says("/start");
  await olga.sees("Send me a photo");
  return { ...on, olga, bob };
}

describe("a newcomer in private", () => {
  it("is asked, refused with a sentence, can have what is kept, take back, be forgotten, and is asked again", async () => {
    await using on = await hosted();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/videoaudio rain on a roof");
    await ann.sees("Do you accept this?");
    expect(await submitted(on, 0)).toEqual([]);
    await ann.presses(/Yes, generate/);
    expect(await submitted(on, 1)).toEqual(["rain on a roof"]);

    await ann.sendsPhoto(photo, { caption: "slow zoom" });
    await ann.sees("Do you confirm that this is so");
    await ann.presses(/Yes, generate/);
    expect(await submitted(on, 2)).toContain("slow zoom");
    await ann.sendsPhoto(photo, { caption: "she waves" });
    await ann.presses(/Generate/);
    expect(await submitted(on, 3)).toContain("she waves");

    ann.says("/videoaudio a d-r-a-g-o-n wakes");
    const refused = await ann.sees("This contains words that are not allowed here.");
    expect(refused.text).toContain("“a d-r-a-g-o-n wakes”");
    expect(refused.buttons.flat().join()).not.toContain("enerate");
    await ann.presses("Cancel", { on: refused });
    ann.says("/image a castle");
    await ann.sees("“Picture from words” is switched off here.");
    ann.says("a castle");
    expect((await ann.sees("as its caption")).buttons.flat()).not.toContain("Picture from words");
    expect(await submitted(on, 3)).toHaveLength(3);

    ann.says("/faceswap");
    await ann.sendsAlbum([photo, photo]);
    await ann.presses("✨ They all agreed: swap the faces");
    expect(await submitted(on, 4)).toHaveLength(4);
    const isDone = () => ann.chat().filter(({ text }) => text.includes(": done")).length === 4;
    await on.telegram.until(isDone);

    ann.says("/privacy");
    await ann.sees("This is what Reelay keeps about you.");
    await ann.presses("Get it as a file");
    const file = await ann.sees(({ media }) => media?.fileName === "reelay-export.json");
    expect(file.text).toContain("It holds neither your key");
    const kept: unknown = JSON.parse(String(file.media?.bytes));
    expect(kept).toMatchObject({ person: { id: `telegram:${ann.user.id}` } });
    expect(JSON.stringify(kept)).toContain("she waves");

    ann.says("/withdraw consent");
    await ann.sees("Withdrawn from now on:");
    await ann.sendsPhoto(photo, { caption: "he nods" });
    await ann.sees("Do you confirm that this is so", { fresh: true });

    ann.says("/forget");
    await ann.presses("Erase it at the service too");
    await ann.presses("Yes, delete for good");
    await ann.sees("Done: Reelay keeps nothing about you any more.");
    ann.says("/videoaudio wind");
    await ann.sees("Do you accept this?", { fresh: true });
    expect(await submitted(on, 4)).toHaveLength(4);
  });

  it("who is kept out is told so, and keeps what is theirs by right", async () => {
    await using on = await hosted();
    const { bob } = on;
    await bob.sendsPhoto(photo, { caption: "slow zoom" });
    await bob.sees("has blocked you from making anything here");
    bob.says("/export");
    await bob.sees(({ media }) => media?.fileName === "reelay-export.json");
    bob.says("/forget");
    await bob.presses("Erase it here");
    await bob.presses("Yes, delete for good");
    await bob.sees("All that Reelay still keeps about you is that you are blocked.");
    expect(await submitted(on, 0)).toEqual([]);
  });
});

describe("a result in a group", () => {
  it("is asked for, reported until it is withheld, looked at, and put back", async () => {
    await using on = await hosted();
    const { olga, telegram } = on;
    const group = telegram.group({ title: "Friends", admin: true });
    const [ann, ben, cem] = ["Ann", "Ben", "Cem"].map((name) => telegram.person({ name }));
    if (!ann || !ben || !cem) throw new Error("Everybody is there.");
    const [annHere, benHere, cemHere] = [ann.in(group), ben.in(group), cem.in(group)];

    await annHere.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    // What somebody else states does not count.
    await benHere.presses(/Yes, generate/);
    expect((await benHere.hears("This belongs to somebody else")).alert).toBe(true);
    await annHere.presses(/Yes, generate/);
    const result = await annHere.sees(isResult);
    expect(result.buttons.flat()).toContain("Report");
    await benHere.presses(/^New variation/);
    const said = () => annHere.chat().filter(ofBot).length;
    const before = said();

    await benHere.presses("Report");
    expect((await benHere.hears("Nobody in this group learns that it was you")).alert).toBe(true);
    await benHere.presses("Report");
    await benHere.hears("You have already reported this");
    // Nothing of all that is said to the group.
    expect(said()).toBe(before);
    await olga.sees("One person reported this result. It is still shown.");
    await cemHere.presses("Report");
    await cemHere.hears("The result is being taken down");
    await annHere.losesSightOf(result);
    const notice = await annHere.sees("This result was taken down.");
    expect(notice.buttons).toEqual([]);
    expect(annHere.chat().filter(isResult)).toEqual([]);

    await olga.sees("2 people reported this result, and it was taken down until you decide.");
    await olga.presses("View it");
    expect((await olga.sees(isResult)).media?.covered).toBe(true);
    await olga.presses("Put it back");
    const back = await annHere.sees(isResult);
    expect(back.buttons.flat()).toContain("Report");
    // It takes the place of that notice.
    expect(back.id).toBe(notice.id);
    expect(annHere.chat().filter(({ text }) => text.includes("taken down"))).toEqual([]);

    await olga.presses("Block the person");
    await olga.sees("Blocked");
    await annHere.sendsPhoto(photo, { caption: "@reelay_bot fast zoom" });
    await annHere.sees("has blocked you from making anything here");
    expect(await submitted(on, 1)).toEqual(["slow zoom"]);
  });

  it("is decided about in private by those who manage the group, as long as they do", async () => {
    await using on = await harness();
    const { telegram } = on;
    const group = telegram.group({ title: "Friends", admin: true });
    const ann = await on.regular({ name: "Ann" });
    const [ben, cem] = [telegram.person({ name: "Ben" }), telegram.person({ name: "Cem" })];
    const [annHere, benHere, cemHere] = [ann.in(group), ben.in(group), cem.in(group)];
    group.appoints(ben);
    await annHere.sendsPhoto(photo, { caption: "@reelay_bot slow zoom" });
    await annHere.presses(/Generate/);
    const result = await cemHere.sees(isResult);
    await cemHere.presses("Report");
    cemHere.says("/reports");
    await cemHere.sees("Only people who manage this server or group");
    cem.says(`/start r_${group.chat.id}`);
    await cem.sees("Only people who manage this server or group");
    cem.says("/reports");
    await cem.sees("Only whoever runs this Reelay, or manages or moderates the group");

    benHere.says("/reports");
    await benHere.presses("Open the private chat");
    await ben.sees("One person reported this result");
    await ben.presses(/View it/);
    await ben.sees(isResult);
    await ben.presses(/Take it down/);
    await annHere.losesSightOf(result);
    // Not the place of the result that Ben looked at, which says so, too.
    const decided = await ben.sees(/^This result was taken down[^]*Decided by/);
    await ben.presses("Put it back", { on: decided });
    await annHere.sees(isResult);
    const stays = await ben.sees("This result stays up", { fresh: true });
    await ben.presses("Block the person", { on: stays });
    const blocked = await ben.sees("Blocked");
    await annHere.sendsPhoto(photo, { caption: "@reelay_bot fast zoom" });
    await annHere.sees("Those who manage this group have blocked you");
    await ann.sendsPhoto(photo, { caption: "soft zoom" });
    await ann.presses(/Generate/);
    expect(await submitted(on, 2)).toEqual(["slow zoom", "soft zoom"]);

    group.dismisses(ben);
    await ben.presses("Unblock the person", { on: blocked });
    await ben.sees("Only people who manage this server or group");
    group.appoints(ben);
    benHere.says("/group");
    const lead = await benHere.sees("This is between you and me", { fresh: true });
    await benHere.presses("Open the private chat", { on: lead });
    await ben.presses("Reports");
    await ben.presses(/Unblock the person/, { on: await ben.sees("Reported results", { fresh: true }) });
    await ben.sees("no longer blocked");
  });

  it("what is somebody's own goes on in private", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const group = on.telegram.group({ title: "Friends" });
    for (const name of ["privacy", "export", "forget", "withdraw", "adult"]) {
      ann.in(group).says(`/${name}`);
      const { buttons } = await ann.in(group).sees("This is between you and me.", { fresh: true });
      expect(buttons).toEqual([["Open the private chat"]]);
    }
    await ann.in(group).presses("Open the private chat");
    await ann.sees("18 or older");
  });
});
