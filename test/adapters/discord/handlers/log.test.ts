import { describe, expect, it } from "vitest";
import { Audit } from "../../../../src/domain/audit/audit.ts";
import type { Channel } from "../../../support/discord/channel.ts";
import type { Person } from "../../../support/discord/person.ts";
import { harness } from "../harness.ts";
import { isResult } from "../making-harness.ts";

/** A server whose manager is Ann and whose moderator is Mo, with a channel for what is reported; Ben and Carla are members. */
async function films() {
  const on = await harness();
  const guild = on.discord.guild({ name: "Films" });
  const general = guild.channel({ name: "general" });
  const log = guild.channel({ name: "moderators" });
  const named = (name: string) => on.discord.person({ name });
  const [ann, mo, ben, carla] = [named("Ann"), named("Mo"), named("Ben"), named("Carla")];
  for (const person of [ann, mo, ben, carla]) person.joins(general);
  guild.appoints(ann);
  guild.entrusts(mo);
  await on.stated([ben]);
  return { ...on, guild, general, log, ann, mo, ben, carla };
}

type Films = Awaited<ReturnType<typeof films>>;

/** Chooses where reports go, and says what was answered. */
async function chooses({ ann, general }: Films, log: Channel): Promise<string> {
  await ann.uses("/server log", {}, { in: general });
  const asked = await ann.sees("Choose the channel", { fresh: true });
  await ann.selects("Choose a channel", [log], { on: asked });
  return (await ann.sees(/^(Saved|Reports cannot)/, { fresh: true })).text;
}

/** Ben makes a picture, which Carla reports. Returns the message that shows it. */
async function reported({ ben, carla, general }: Films, prompt = "a castle") {
  await ben.uses("/make image", { prompt }, { in: general });
  await ben.presses(/^Make it|^Yes, generate/, { on: await ben.sees(`“${prompt}”`) });
  const made = await carla.sees(isResult, { in: general, fresh: true });
  await carla.presses("Report", { on: made });
  await carla.sees(/^Thank you/, { fresh: true });
  return made;
}

/** What the managers are still to be told. */
const untold = ({ database, guild }: Films) =>
  database.kysely
    .selectFrom("report_notices")
    .select("job")
    .where("audience", "=", `discord:${guild.id}`)
    .whereRef("told", "<", "news")
    .execute();

const notices = (person: Person, log: Channel) =>
  person.chat({ in: log }).filter(({ text, ephemeral }) => !ephemeral && text.includes("Made by"));

describe("/server log", () => {
  it("has managers told in a channel, with names and links, and the notice follows what is decided", async () => {
    await using on = await films();
    const { ann, mo, ben, carla, general, log, guild } = on;
    expect(await chooses(on, log)).toContain(`Reports go to: <#${log.id}>`);
    await ann.sees("From now on I say here", { in: log });
    const made = await reported(on);
    const told = await mo.sees("One person reported this result", { in: log });
    expect(told.text).toContain(`Made by: <@${ben.user.id}>`);
    expect(told.text).toContain(`Where: https://discord.com/channels/${guild.id}/${general.id}/${made.id}`);
    // Neither what was asked for, nor who reported it.
    expect(told.text).not.toMatch(new RegExp(`castle|${carla.user.id}`));
    expect(told.files).toEqual([]);
    await mo.presses("Take it down", { on: told });
    await carla.sees("This result was taken down", { in: general });
    const down = await mo.sees(/^This result was taken down/, { in: log });
    expect(down).toMatchObject({ id: told.id });
    expect(down.text).toContain(`Decided by: <@${mo.user.id}>`);
    const audit = await Audit.open(on.database, "digest");
    const [line] = await audit.read({ act: "log", limit: 9 });
    expect(line).toMatchObject({
      user: `discord:${ann.user.id}`,
      chat: `discord:${guild.id}`,
      rule: `discord:${log.id}`,
    });
    await on.restart();
    await ann.presses("Block the person", { on: down });
    await mo.sees("Blocked", { in: log });
    await ann.presses("Put it back", { on: down });
    await mo.sees((one) => one.id === told.id && one.text.startsWith("This result stays up"), { in: log });
    await carla.sees((one) => isResult(one) && one.id === made.id, { in: general });
    expect(notices(mo, log)).toHaveLength(1);
  });

  it("names what the bot lacks there, and changes nothing", async () => {
    await using on = await films();
    const { ann, log, general } = on;
    log.denies("SendMessages");
    expect(await chooses(on, log)).toContain("I lack the permission “Send Messages” in that channel");
    log.denies("ViewChannel");
    expect(await chooses(on, log)).toContain("“View Channel”");
    await ann.uses("/server show", {}, { in: general });
    expect((await ann.sees("These rules apply here")).text).toContain("Reports go to: nowhere");
  });

  it("is no channel of another server, not even for who manages both, and nothing is posted there", async () => {
    await using on = await films();
    const { ann, mo, log, general } = on;
    const other = on.discord.guild({ name: "Others" });
    const theirs = other.channel({ name: "theirs" });
    other.appoints(ann);
    await chooses(on, log);
    expect(await chooses(on, theirs)).toContain("it is no place of this server or group");
    await reported(on);
    await mo.sees("One person reported this result", { in: log });
    expect(ann.chat({ in: theirs })).toEqual([]);
    await ann.uses("/server show", {}, { in: general });
    expect((await ann.sees("These rules apply here")).text).toContain(`Reports go to: <#${log.id}>`);
  });

  it("is told once where nothing can be posted any more, and goes on when it is chosen anew", async () => {
    await using on = await films();
    const { ann, general, log } = on;
    await chooses(on, log);
    log.denies("SendMessages");
    await reported(on);
    const lost = async () => {
      await ann.uses("/server show", {}, { in: general });
      return (await ann.sees("These rules apply here", { fresh: true })).text;
    };
    await expect.poll(lost).toContain(`<#${log.id}>, where I could not post any more`);
    const tries = () => on.discord.calls().filter((call) => JSON.stringify(call).includes("Made by")).length;
    const before = tries();
    await reported(on, "a lake");
    await expect.poll(() => untold(on)).toEqual([]);
    expect(tries()).toBe(before);
    log.allows("SendMessages");
    expect(await chooses(on, log)).toContain(`Reports go to: <#${log.id}>`);
    await on.discord.until(() => notices(ann, log).length === 2);
    log.disappears();
    await reported(on, "a hill");
    await expect.poll(lost).toContain("where I could not post any more");
  });

  it("posts a notice anew that somebody deleted", async () => {
    await using on = await films();
    const { ann, mo, general, log } = on;
    await chooses(on, log);
    await reported(on);
    const told = await mo.sees("One person reported this result", { in: log });
    ann.deletes(told);
    await mo.uses("/reports", {}, { in: general });
    await mo.presses(/Leave it up/, { on: await mo.sees("Reported results") });
    await mo.sees("This result stays up", { in: log });
    expect(notices(mo, log)).toHaveLength(1);
  });

  it("is for managers alone, who decide one after the other, and for those who are so no more nothing", async () => {
    await using on = await films();
    const { ann, mo, carla, general, log, guild } = on;
    const asks = async () => {
      await ann.uses("/server log", {}, { in: general });
      return ann.sees("Choose the channel", { fresh: true });
    };
    const asked = await asks();
    await ann.selects("Choose a channel", [log], { on: asked });
    await ann.sees("Saved.");
    await reported(on);
    const told = await mo.sees("One person reported this result", { in: log });
    await Promise.all([ann.presses("Take it down", { on: told }), mo.presses("Leave it up", { on: told })]);
    await carla.sees(/^(This result was taken down|Thank you)/, { in: general });
    await expect.poll(() => untold(on)).toEqual([]);
    expect(notices(mo, log)).toHaveLength(1);
    carla.joins(log);
    await carla.presses(/Put it back|Take it down/, { on: told });
    await carla.sees("Only whoever runs this Reelay, or manages or moderates");
    const again = await asks();
    guild.dismisses(ann);
    await ann.presses("Nowhere", { on: again });
    await ann.sees("Only people who manage this server or group can set this");
    expect(
      await on.database.kysely.selectFrom("audit").select("id").where("act", "=", "log").execute(),
    ).toHaveLength(1);
  });
});
