import { describe, expect, it, onTestFailed } from "vitest";
import type { Channel } from "../support/discord/channel.ts";
import { drawDiscord } from "../support/discord/liberties.ts";
import type { SeenMessage } from "../support/discord/seen.ts";
import { submitted } from "../support/submitted.ts";
import { allTold, jobOf } from "../support/told.ts";
import { cat, makingHarness, isResult } from "../adapters/discord/making-harness.ts";
import { keep, seedsOfRun } from "./seeds.ts";

const shownBy = ({ controls }: SeenMessage) =>
  jobOf(controls.flat().flatMap((control) => ("custom_id" in control ? control.custom_id : [])));

/** Whether somebody is still told that something is to come. */
const promises = ({ thinking, text }: SeenMessage) => thinking || text.startsWith("Photo to video\n");

describe("whatever Discord's description leaves open", () => {
  it.each(seedsOfRun())("seed %i: each order is one job, and each result comes once", async (seed) => {
    onTestFailed(() => keep(seed));
    await using at = await makingHarness({ liberties: drawDiscord(seed) });
    const { on, ann, bob, channel } = at;
    const here = { in: channel };
    const alone = { in: ann.conversation };
    const jobsIn = (place: { in: Channel }) => ann.chat(place).filter(isResult).map(shownBy);
    await ann.uses("/make video", { image: cat, prompt: "waves" }, here);
    await ann.presses(/^Make it/);
    const result = await bob.sees(isResult, here);
    await ann.presses(/^New variation/, { on: result });
    await on.discord.until(() => jobsIn(here).length === 2);

    await ann.uses("/make video", { image: cat, prompt: "alone" }, alone);
    await ann.presses(/^Make it/, alone);
    await ann.sees(isResult, alone);
    const [first, again, third] = await allTold(on, 3);
    expect(await submitted(on, 3)).toEqual(["waves", "waves", "alone"]);
    expect(jobsIn(here)).toEqual([first, again]);
    expect(jobsIn(alone)).toEqual([third]);
    expect(ann.chat().filter(promises)).toEqual([]);

    await ann.presses("Delete", { on: result });
    await ann.presses("Delete for good");
    await ann.sees("Deleted, here and at the service.");
    expect(jobsIn(here)).toEqual([again]);
    expect(jobsIn(alone)).toEqual([third]);
  });
});
