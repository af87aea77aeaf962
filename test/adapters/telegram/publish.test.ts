import { describe, expect, it } from "vitest";
import { TELEGRAM } from "../../../adapters/telegram/api/limits.ts";
import { publish } from "../../../adapters/telegram/publish.ts";
import { languageOf, LOCALES } from "../../../src/common/i18n.ts";
import { transport } from "./transport-harness.ts";

interface Menu {
  readonly commands: readonly { readonly command: string; readonly description: string }[];
}

describe("the bot's menu and description", () => {
  it("are published in every language, and in the operator's for everybody else", async () => {
    await using harness = await transport();
    await publish(harness.services);
    const menus = harness.telegram.calls("setMyCommands");
    expect(menus.every(({ error }) => error === undefined)).toBe(true);
    const privately = menus.filter(({ params }) => params["scope"] === undefined);
    expect(privately.map(({ params }) => params["language_code"])).toEqual([
      undefined,
      ...LOCALES.map(languageOf),
    ]);
    for (const { params } of privately) {
      const names = (params as unknown as Menu).commands.map(({ command }) => command);
      expect(names).toEqual(expect.arrayContaining(["start", "connect", "balance", "forget", "video"]));
      expect(names.length).toBeLessThanOrEqual(TELEGRAM.commands.count);
    }
    const descriptions = harness.telegram
      .calls("setMyDescription")
      .map(({ params }) => params["description"]);
    expect(new Set(descriptions).size).toBe(LOCALES.length);
  });

  it("offer in groups only what is answered there", async () => {
    await using harness = await transport();
    await publish(harness.services);
    const inGroups = harness.telegram.calls("setMyCommands").filter(({ params }) => params["scope"]);
    for (const { params } of inGroups) {
      const names = (params as unknown as Menu).commands.map(({ command }) => command);
      expect(names).toContain("video");
      expect(names).not.toContain("connect");
    }
  });

  it("are published again only when they have changed", async () => {
    await using harness = await transport();
    await publish(harness.services);
    const { length: first } = harness.telegram.calls();
    await publish(harness.services);
    expect(harness.telegram.calls()).toHaveLength(first);
    await publish({ ...harness.services, intake: { ...harness.services.intake, commands: [] } });
    expect(harness.telegram.calls()).toHaveLength(2 * first);
  });

  it("are published in full the next time when the connection broke in the middle", async () => {
    await using harness = await transport();
    const broken = publish(harness.services);
    await harness.telegram.until(() => harness.telegram.calls().length > 5);
    await harness.sender.stop(0);
    await expect(broken).rejects.toThrow(/not sent|stops/);
    expect(await harness.memory.entries()).toEqual([]);
  });
});
