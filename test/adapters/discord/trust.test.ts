import { describe, expect, it } from "vitest";
import type { Channel } from "../../support/discord/channel.ts";
import type { FakeDiscord } from "../../support/discord/fake-discord.ts";
import type { Person } from "../../support/discord/person.ts";
import { submitted } from "../../support/submitted.ts";
import { cat, isResult } from "./making-harness.ts";
import { harness } from "./harness.ts";

/** Who is there: in a server, in the operators' own, and whom the operators keep out. */
function people(discord: FakeDiscord) {
  const named = (name: string) => discord.person({ name });
  const [ann, bob, carla, olga, eve] = ["Ann", "Bob", "Carla", "Olga", "Eve"].map(named) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ];
  const films = discord.guild({ name: "Films" }).channel();
  const services = discord.guild({ name: "Services" }).channel();
  for (const person of [ann, bob, carla, eve]) person.joins(films);
  olga.joins(services);
  return { ann, bob, carla, olga, eve, films, services };
}

/** The bot as an operator runs it who cares. `await using` stops it. */
async function kept() {
  let those: ReturnType<typeof people> | undefined;
  const on = await harness({
    settings(discord) {
      those = people(discord);
      return {
        REELAY_REPORTS_TO: `discord:${those.services.id}`,
        REELAY_REPORTS_TO_WITHHOLD: "2",
        REELAY_OPERATORS: `discord:${those.olga.user.id}`,
        REELAY_BLOCKED: `discord:${those.eve.user.id}`,
        REELAY_BLOCKED_WORDS: "dragon",
        REELAY_OPERATIONS_OFF: "discord:image-edit",
        REELAY_SPOILER: "always",
      };
    },
  });
  if (!those) throw new Error("Nobody is there.");
  return { on, ...those, [Symbol.asyncDispose]: () => on[Symbol.asyncDispose]() };
}

/** Asks for a picture, and begins it. */
async function draws(person: Person, channel: Channel, prompt: string): Promise<void> {
  await person.uses("/make image", { prompt }, { in: channel });
  await person.presses(/^Make it|^Yes, generate/, { on: await person.sees(`“${prompt}”`) });
}

const shown = (person: Person, channel: Channel) => person.chat({ in: channel }).filter(isResult);

describe("in a server", () => {
  it("asks, accepts and refuses: words, what is switched off, who is kept out", async () => {
    await using at = await kept();
    const { on, ann, bob, eve, films } = at;
    await ann.uses("/make image", { prompt: "a castle" }, { in: films });
    expect(await ann.sees("is your responsibility")).toMatchObject({ ephemeral: true });
    await ann.presses(/^Yes, generate/);
    const made = await bob.sees(isResult, { in: films });
    expect(made.files[0]?.covered).toBe(true);
    await ann.uses("/make image", { prompt: "a d r a g o n" }, { in: films });
    expect(await ann.sees("words that are not allowed", { fresh: true })).toMatchObject({ ephemeral: true });
    expect(ann.commands({ in: films }).map(({ name }) => name)).not.toContain("/make image-edit");
    await eve.uses("/make image", { prompt: "a lake" }, { in: films });
    expect(await eve.sees("has blocked you")).toMatchObject({ ephemeral: true });
    expect(bob.chat({ in: films })).toHaveLength(1);
    expect(await submitted(on, 1)).toEqual(["a castle"]);
  });

  it("takes a reported face swap away, tells operators, and brings it back", async () => {
    await using at = await kept();
    const { on, ann, bob, carla, olga, films, services } = at;
    await on.stated([ann], ["terms"]);
    await ann.uses("/make faceswap", { face: cat, target: cat }, { in: films });
    await ann.presses("They all agreed: swap the faces");
    const made = await bob.sees(isResult, { in: films });
    await bob.presses("Report", { on: made });
    expect(await bob.sees("Thank you")).toMatchObject({ ephemeral: true });
    await bob.presses("Report", { on: made });
    expect(await bob.sees("You have already reported this")).toMatchObject({ ephemeral: true });
    const card = await olga.sees("One person reported this result", { in: services });
    expect(shown(bob, films)).toHaveLength(1);
    await carla.presses("Report", { on: made });
    await carla.sees("The result is being taken down");
    const gone = await bob.sees("This result was taken down", { in: films });
    expect(gone).toMatchObject({ id: made.id, files: [], buttons: [] });
    await on.discord.until(() => shown(carla, films).length === 0);
    const told = await olga.sees(/^2 people reported/, { in: services });
    expect(told.text).toContain(`Made by: <@${ann.user.id}>`);
    expect(told.text).toMatch(
      new RegExp(`Where: https://discord\\.com/channels/\\d+/${films.id}/${made.id}$`, "m"),
    );
    // Until it is noted that it was taken down, it is not to be deleted.
    const offered = async () => {
      await ann.uses("/jobs", {}, { in: films });
      return (await ann.sees("taken down after reports", { fresh: true })).buttons;
    };
    await expect.poll(offered).toEqual([["1. Details", "Delete"]]);
    bob.joins(services);
    await bob.presses("Put it back", { on: told });
    expect(await bob.sees("Only whoever runs", { in: services, fresh: true })).toMatchObject({
      ephemeral: true,
    });
    await olga.presses("View it", { on: told });
    expect((await olga.sees(isResult, { in: services })).files[0]?.covered).toBe(true);
    expect(shown(bob, films)).toEqual([]);
    await on.restart();
    await olga.presses("Put it back", { on: told });
    const back = await bob.sees((one) => isResult(one) && one.id === made.id, { in: films });
    expect(back.buttons.flat()).toContain("Report");
    expect(await olga.sees("This result stays up", { in: services })).toBeDefined();
    expect(await olga.sees(`Decided by: <@${olga.user.id}>`, { in: services })).toBeDefined();
    expect(card.channelId).toBe(services.id);
  });

  it("is decided about by those who moderate it, as long as they do, unseen by the others", async () => {
    await using at = await kept();
    const { on, ann, bob, carla, films, services } = at;
    await on.stated([ann], ["terms"]);
    await draws(ann, films, "a castle");
    const made = await carla.sees(isResult, { in: films });
    await carla.presses("Report", { on: made });
    expect(carla.commands({ in: films }).map(({ name }) => name)).not.toContain("/reports");
    films.guild?.entrusts(bob);
    services.guild?.entrusts(carla);
    await carla.uses("/reports", {}, { in: services });
    await carla.sees("There are no open reports");
    await bob.uses("/reports", {}, { in: films });
    const list = await bob.sees("Reported results");
    expect(list).toMatchObject({ ephemeral: true });
    expect(list.text).not.toContain("castle");
    await bob.presses(/Take it down/, { on: list });
    const decided = await bob.sees(/^This result was taken down/, { fresh: true });
    expect(decided).toMatchObject({ ephemeral: true });
    await carla.sees("This result was taken down", { in: films });
    await bob.presses("Block the person", { on: decided });
    const blocked = await bob.sees("Blocked: ", { fresh: true });
    await ann.uses("/make image", { prompt: "a lake" }, { in: films });
    await ann.sees("Those who manage this group have blocked you");
    films.guild?.dismisses(bob);
    await bob.presses("Unblock the person", { on: blocked });
    await bob.sees("Only whoever runs this Reelay, or manages or moderates");
    expect(await submitted(on, 1)).toEqual(["a castle"]);
  });

  it("tells one who moderates it and is kept out so before any price, and leaves them their list", async () => {
    await using at = await kept();
    const { on, ann, bob, carla, films } = at;
    await on.stated([ann, bob], ["terms"]);
    await draws(ann, films, "a castle");
    await bob.sees(isResult, { in: films });
    films.guild?.entrusts(carla);
    films.guild?.entrusts(ann);
    await carla.presses("Report", { on: await carla.sees(isResult, { in: films }) });
    await carla.uses("/reports", {}, { in: films });
    await carla.presses("Block the person", { on: await carla.sees("Reported results") });
    await carla.sees("Blocked: ", { fresh: true });
    const before = bob.chat({ in: films }).length;
    await ann.uses("/make image", { prompt: "a lake" }, { in: films });
    await ann.sees("Those who manage this group have blocked you");
    expect(bob.chat({ in: films })).toHaveLength(before);
    await ann.uses("/reports", {}, { in: films });
    await ann.presses("Unblock the person", { on: await ann.sees("Reported results") });
    await ann.sees("is no longer blocked", { fresh: true });
    expect(await submitted(on, 1)).toEqual(["a castle"]);
  });

  it("tells what is kept, hands it over, takes it back and forgets it, for one person alone", async () => {
    await using at = await kept();
    const { on, ann, bob, films } = at;
    await on.stated([ann]);
    await draws(ann, films, "a castle");
    await bob.sees(isResult, { in: films });
    const before = bob.chat({ in: films }).length;
    await ann.uses("/privacy", {}, { in: films });
    const privacy = await ann.sees(({ buttons }) => buttons.flat().includes("Get it as a file"));
    expect(privacy.ephemeral).toBe(true);
    await ann.presses("Get it as a file", { on: privacy });
    const file = await ann.sees(({ files: [first] }) => first?.name === "reelay-export.json");
    expect(file.ephemeral).toBe(true);
    expect(file.files[0]?.bytes.toString()).toContain("a castle");
    await ann.presses("Withdraw confirmations", { on: privacy });
    expect(await ann.sees("Withdrawn from now on")).toMatchObject({ id: privacy.id, ephemeral: true });
    expect(ann.chat({ in: films }).some(({ id, files }) => id === file.id && files.length > 0)).toBe(true);
    await ann.uses("/forget", {}, { in: films });
    await ann.presses("Erase it here");
    await ann.presses("Yes, delete for good");
    await ann.sees("Reelay keeps nothing about you", { fresh: true });
    expect(bob.chat({ in: films })).toHaveLength(before);
    await ann.uses("/make image", { prompt: "a lake" }, { in: films });
    await ann.sees("is your responsibility", { fresh: true });
    expect(await submitted(on, 1)).toEqual(["a castle"]);
  });
});
