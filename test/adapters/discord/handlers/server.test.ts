import { InteractionResponseType } from "discord.js";
import { describe, expect, it } from "vitest";
import { cat } from "../making-harness.ts";
import { harness } from "../harness.ts";

/** A server with two channels, whose manager is Ann; Ben is a member. */
async function films(options: Parameters<typeof harness>[0] = {}) {
  const on = await harness(options);
  const guild = on.discord.guild({ name: "Films" });
  const channel = guild.channel({ name: "general" });
  const studio = guild.channel({ name: "studio" });
  const ann = on.discord.person({ name: "Ann" });
  const ben = on.discord.person({ name: "Ben" });
  guild.appoints(ann);
  ben.joins(channel);
  return { ...on, guild, channel, studio, ann, ben };
}

describe("/server", () => {
  it("shows its managers what applies, and nobody else", async () => {
    await using on = await films();
    const { ann, ben, channel } = on;
    await ann.uses("/server show", {}, { in: channel });
    const shown = await ann.sees("These rules apply here.");
    expect(shown.ephemeral).toBe(true);
    for (const fact of ["each person's own", "everything", "everywhere"]) expect(shown.text).toContain(fact);
    expect(ben.chat({ in: channel })).toEqual([]);
    await expect(ben.uses("/server show", {}, { in: channel })).rejects.toThrow(
      "is offered no command /server",
    );
    await expect(ann.uses("/server show")).rejects.toThrow("is offered no command /server");
  });

  it("shows what was reported to managers who may moderate nobody: they are not offered /reports", async () => {
    await using on = await films();
    const { ann, channel } = on;
    expect(ann.commands({ in: channel }).map(({ name }) => name)).not.toContain("/reports");
    await ann.uses("/server reports", {}, { in: channel });
    expect(await ann.sees("There are no open reports")).toMatchObject({ ephemeral: true });
  });

  it("names what applies to several roles once", async () => {
    await using on = await films({ paid: false });
    const { ann, guild, channel } = on;
    const [editors, guests] = [guild.role("Editors", []), guild.role("Guests", [])];
    await ann.uses("/server quota", { jobs: 5, role: editors }, { in: channel });
    await ann.uses("/server quota", { jobs: 1, role: guests }, { in: channel });
    const { text } = await ann.sees(`<@&${guests.id}>: 1`);
    expect(text).toContain(`<@&${editors.id}>: 5`);
    expect(text.split("Jobs a day by role")).toHaveLength(2);
  });

  it("limits the channels", async () => {
    await using on = await films();
    const { ann, ben, channel, studio } = on;
    await ann.uses("/server channels", {}, { in: channel });
    await ann.selects("Choose channels", [studio]);
    await ann.sees("Saved.");
    await ben.uses("/make image", { prompt: "a castle" }, { in: channel });
    const refused = await ben.sees("Nothing can be made in this channel.");
    expect(refused).toMatchObject({ ephemeral: true });
    expect(refused.text).toContain(`<#${studio.id}>`);
    await ann.uses("/server channels", {}, { in: channel });
    await ann.presses("Everywhere");
    expect((await ann.sees("Saved.", { fresh: true })).text).toContain("everywhere");
  });

  it("limits what may be made", async () => {
    await using on = await films();
    const { ann, ben, channel } = on;
    await ann.uses("/server operations", {}, { in: channel });
    await ann.selects("Choose what is allowed", ["Photo to video"]);
    expect((await ann.sees("Saved.")).text).toContain("Photo to video");
    await ben.uses("/make image", { prompt: "a castle" }, { in: channel });
    expect((await ben.sees("is not allowed here")).ephemeral).toBe(true);
  });

  it("allows other things to those with a role, and takes that back", async () => {
    await using on = await films();
    const { ann, ben, channel, guild } = on;
    const artists = guild.role("Artists", [ben]);
    await ann.uses("/server operations", {}, { in: channel });
    await ann.selects("Choose what is allowed", ["Photo to video"]);
    await ann.sees("Saved.");
    await ann.uses("/server operations", { role: artists }, { in: channel });
    await ann.selects("Choose what is allowed", ["Picture from words"]);
    expect((await ann.sees(`<@&${artists.id}>`)).text).toContain(`<@&${artists.id}>: Picture from words`);
    await ann.uses("/make image", { prompt: "a castle" }, { in: channel });
    await ann.sees("“Picture from words” is not allowed here");
    await ben.uses("/make image", { prompt: "a castle" }, { in: channel });
    await ben.sees("“a castle”");
    await ann.uses("/server operations", { role: artists }, { in: channel });
    const asked = await ann.sees("Choose what may be made", { fresh: true });
    // It begins with what is set for them.
    await on.discord.until(() => {
      const set = JSON.stringify(on.discord.calls()).matchAll(/"value":"([a-z-]+)","default":true/g);
      return new Set([...set].map(([, name]) => name)).symmetricDifference(new Set(["image"])).size === 0;
    });
    await ann.presses("Everything", { on: asked });
    expect((await ann.sees("Saved.", { fresh: true })).text).not.toContain("<@&");
    await ben.uses("/make image", { prompt: "a lake" }, { in: channel });
    expect((await ben.sees("is not allowed here")).ephemeral).toBe(true);
  });

  it("keeps what is for adults for some roles, or for everybody again", async () => {
    await using on = await films();
    const { ann, channel, guild } = on;
    const [artists, editors] = [guild.role("Artists", []), guild.role("Editors", [])];
    await ann.uses("/server adults", {}, { in: channel });
    await ann.selects("Choose roles", [artists, editors]);
    const { text } = await ann.sees(`<@&${editors.id}>`);
    expect(text).toContain(`Templates for adults only for: <@&${artists.id}>\n  <@&${editors.id}>`);
    await ann.uses("/server adults", {}, { in: channel });
    const asked = await ann.sees("Choose the roles", { fresh: true });
    // It begins with what is set.
    const set = JSON.stringify([artists, editors].map(({ id }) => ({ id, type: "role" })));
    await on.discord.until(() => JSON.stringify(on.discord.calls()).includes(`"default_values":${set}`));
    await ann.selects("Choose roles", [editors], { on: asked });
    expect((await ann.sees("Saved.", { fresh: true })).text).not.toContain(`<@&${artists.id}>`);
    await ann.uses("/server adults", {}, { in: channel });
    await ann.presses("Everybody", { on: await ann.sees("Choose the roles", { fresh: true }) });
    expect((await ann.sees("Saved.", { fresh: true })).text).not.toContain("Templates for adults");
  });

  it("refuses what is for adults to those without such a role, also where that has its place", async () => {
    await using on = await films({ settings: { REELAY_MATURE: "age-restricted" } });
    const { ann, ben, guild } = on;
    const late = guild.channel({ name: "late", nsfw: true });
    const adults = guild.role("Adults", [ben]);
    await ann.uses("/server adults", {}, { in: late });
    await ann.selects("Choose roles", [adults]);
    await ann.sees("Saved.");
    await on.stated([ann, ben]);
    const wine = { image: cat, template: "wine-evening" };
    await ann.uses("/make video", wine, { in: late });
    expect(await ann.sees("This template is for adults")).toMatchObject({ ephemeral: true });
    await ben.uses("/make video", wine, { in: late });
    expect((await ben.sees("Template: ")).text).not.toContain("This template is for adults");
  });

  it("speaks its language with whoever chose none", async () => {
    await using on = await films();
    const { ann, ben, channel } = on;
    await ann.uses("/server language", { language: "Deutsch" }, { in: channel });
    await ann.sees("Deutsch");
    await ben.uses("/balance", {}, { in: channel });
    await ben.sees("Das ist die Sandbox");
    await ann.uses("/server language", { language: "Each member's own" }, { in: channel });
    await ann.sees("bei jedem die eigene");
    await ben.uses("/balance", {}, { in: channel });
    expect((await ben.sees("This is the sandbox", { fresh: true })).ephemeral).toBe(true);
  });

  it("pays with a key of its own, for so many jobs a day of each member", async () => {
    await using on = await films({ paid: false });
    const { ann, ben, channel } = on;
    const opened = await ann.uses("/server key", {}, { in: channel });
    expect(opened.kind).toBe(InteractionResponseType.Modal);
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    const stored = await ann.sees("pays for everybody here");
    expect(stored.ephemeral).toBe(true);
    expect(JSON.stringify(on.discord.calls())).not.toContain(on.sandbox.keys.pro);
    await ann.uses("/server quota", { jobs: 0 }, { in: channel });
    await ann.sees("Saved.");
    await ben.uses("/balance", {}, { in: channel });
    await ben.sees("The key of this server or group pays here.");
    await ben.uses("/make image", { prompt: "a castle" }, { in: channel });
    expect((await ben.sees("The key that pays here may not be used by you")).ephemeral).toBe(true);
    expect((await on.sandbox.ledger()).submissions).toEqual([]);
    await ann.uses("/server quota", {}, { in: channel });
    await ann.sees("Saved.", { fresh: true });
    await ann.uses("/server remove-key", {}, { in: channel });
    await ann.sees("The key is erased.");
    await ben.uses("/balance", {}, { in: channel });
    await ben.sees("No key is connected yet.");
  });

  it("allows more to a role, and so much to all together", async () => {
    await using on = await films({ paid: false });
    const { ann, ben, channel, guild } = on;
    const artists = guild.role("Artists", [ben]);
    await ann.uses("/server key", {}, { in: channel });
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    await ann.sees("pays for everybody here");
    await ann.uses("/server quota", { jobs: 1, role: artists }, { in: channel });
    expect((await ann.sees("Saved.")).text).toContain(`<@&${artists.id}>: 1`);
    // Whoever has no role of those has what everybody has; it is set like a role's.
    await ann.uses("/server quota", { jobs: 0, role: guild.everyone }, { in: channel });
    await ann.sees("Saved.", { fresh: true });
    await ann.uses("/make image", { prompt: "a castle" }, { in: channel });
    await ann.sees("The key that pays here may not be used by you");
    await ann.uses("/server limit", { jobs: 0 }, { in: channel });
    await ann.sees("Saved.", { fresh: true });
    await ben.uses("/make image", { prompt: "a castle" }, { in: channel });
    await ben.sees("The key that pays here may not be used by you");
    await ann.uses("/server limit", {}, { in: channel });
    expect((await ann.sees("Saved.", { fresh: true })).text).toContain("no limit");
    await ann.uses("/server quota", { role: artists }, { in: channel });
    expect((await ann.sees("Saved.", { fresh: true })).text).not.toContain("<@&");
    expect((await on.sandbox.ledger()).submissions).toEqual([]);
  });

  it("spends so many tokens for each member, and for all together", async () => {
    await using on = await films({ paid: false });
    const { ann, ben, channel } = on;
    await ann.uses("/server key", {}, { in: channel });
    await ann.submitsModal({ "API key": on.sandbox.keys.pro });
    await ann.sees("pays for everybody here");
    await ann.uses(
      "/server budget",
      { whom: "All together", period: "a month (UTC)", tokens: 250.5 },
      { in: channel },
    );
    const saved = await ann.sees("Saved.");
    expect(saved.text).toContain("Tokens a month for all together: 250.5 tokens");
    expect(saved.text).toContain("250.5 of 250.5 tokens left");
    await ann.uses(
      "/server budget",
      { whom: "Each member", period: "a day (UTC)", tokens: 0 },
      { in: channel },
    );
    await ann.sees("Saved.", { fresh: true });
    await ben.uses("/make image", { prompt: "a castle" }, { in: channel });
    expect((await ben.sees("The budget of tokens for you today (UTC)")).ephemeral).toBe(true);
    await ann.uses("/server budget", { whom: "Each member", period: "a day (UTC)" }, { in: channel });
    expect((await ann.sees("Saved.", { fresh: true })).text).not.toContain("Tokens a day for each member");
    expect((await on.sandbox.ledger()).submissions).toEqual([]);
  });
});
