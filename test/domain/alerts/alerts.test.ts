import { describe, expect, it } from "vitest";
import { ReelayError } from "../../../src/common/errors.ts";
import { alertWorld, CHAT, MINUTE } from "./harness.ts";

const HOOK = "https://hooks.example/secret-path";
const gone = { kind: "platform_gone", of: "discord", params: { platform: "Discord" } } as const;

describe("alerts", () => {
  it("are told once when they begin, and once when they are over, whatever flaps in between", async () => {
    await using world = await alertWorld();
    const { alerts, teller } = world.node();
    const start = world.clock.now;
    const look = async (isGone: boolean) => {
      if (isGone) await alerts.see(gone);
      await alerts.settle(start, async () => false);
      await teller.tellAll();
      world.clock.now += MINUTE / 3;
    };
    await look(true);
    await look(false);
    await look(true);
    expect(world.told()).toEqual([]);
    for (const isGone of [true, false, true, false, false, true]) await look(isGone);
    expect(world.told()).toEqual(["alert.platform_gone"]);
    expect(await alerts.list()).toEqual([{ kind: gone.kind, params: gone.params, since: start }]);
    for (let count = 0; count < 6; count += 1) await look(false);
    expect(world.told()).toEqual(["alert.platform_gone", "alert.platform_gone.over"]);
    expect(await alerts.list()).toEqual([]);
    for (let count = 0; count < 6; count += 1) await look(false);
    expect(world.told()).toHaveLength(2);
    // Nothing is left of it.
    expect(
      await world.database.kysely.selectFrom("kv").selectAll().where("namespace", "=", "alerts").execute(),
    ).toEqual([]);
  });

  it("are of a new time where they begin anew once they were over, told or not, and of the first where they only were away", async () => {
    await using world = await alertWorld({ places: [CHAT, HOOK] });
    const { alerts, teller } = world.node();
    const start = world.clock.now;
    const pass = async (minutes: number, isGone: boolean) => {
      for (let third = 0; third < 3 * minutes; third += 1) {
        if (isGone) await alerts.see(gone);
        await alerts.settle(start, async () => false);
        world.clock.now += MINUTE / 3;
      }
    };
    const since = async () => (await alerts.list()).map((entry) => entry.since - start);
    await pass(2, true);
    await pass(1, false);
    await pass(1, true);
    expect(await since(), "one alert, since it began").toEqual([0]);
    await pass(3, false);
    expect(await since()).toEqual([]);
    await pass(2, true);
    expect(await since(), "another one, before the chat took the end of the first").toEqual([7 * MINUTE]);
    await teller.tellAll();
    await pass(3, false);
    await teller.tellAll();
    await pass(2, true);
    expect(await since()).toEqual([12 * MINUTE]);
    const told = (await world.webhooks()).map(({ type, body }) => {
      const at = (JSON.parse(body) as { readonly data: { readonly since: string } }).data.since;
      return [type, (Date.parse(at) - start) / MINUTE];
    });
    expect(told).toEqual([
      ["alert.began", 0],
      ["alert.over", 0],
      ["alert.began", 7],
      ["alert.over", 7],
      ["alert.began", 12],
    ]);
  });

  it("are told by one of several nodes that see, and tell, the same at once", async () => {
    await using world = await alertWorld({ places: [CHAT, HOOK] });
    const nodes = [world.node(), world.node(), world.node()];
    const start = world.clock.now;
    for (let count = 0; count < 6; count += 1) {
      await Promise.all(nodes.map(({ alerts }) => alerts.see(gone)));
      await Promise.all(nodes.map(({ alerts }) => alerts.settle(start, async () => false)));
      await Promise.all(nodes.map(({ teller }) => teller.tellAll()));
      world.clock.now += MINUTE / 3;
    }
    world.clock.now += 2 * MINUTE;
    await Promise.all(nodes.map(({ alerts }) => alerts.settle(start, async () => false)));
    await Promise.all(nodes.map(({ teller }) => teller.tellAll()));
    expect(world.told()).toEqual(["alert.platform_gone", "alert.platform_gone.over"]);
    expect((await world.webhooks()).map(({ type }) => type)).toEqual(["alert.began", "alert.over"]);
  });

  it("of two platforms are two", async () => {
    await using world = await alertWorld();
    const { alerts, teller } = world.node();
    const other = { kind: "platform_gone", of: "telegram", params: { platform: "Telegram" } } as const;
    for (const sighting of [gone, other]) await alerts.see(sighting);
    world.clock.now += MINUTE;
    for (const sighting of [gone, other]) await alerts.see(sighting);
    await teller.tellAll();
    expect(world.told()).toEqual(["alert.platform_gone", "alert.platform_gone"]);
  });

  it("tell an address what it is, since when, and what to do, in a webhook of its own type", async () => {
    await using world = await alertWorld({ places: [HOOK], locale: "de" });
    const { alerts } = world.node();
    const since = new Date(world.clock.now).toISOString();
    await alerts.see(gone);
    world.clock.now += MINUTE;
    await alerts.see(gone);
    const [message] = await world.webhooks();
    expect(message).toMatchObject({ url: HOOK, type: "alert.began" });
    expect(JSON.parse(message?.body ?? "")).toMatchObject({
      type: "alert.began",
      data: {
        alert: "platform_gone",
        platform: "Discord",
        since,
        text: expect.stringContaining("`reelay doctor`") as string,
      },
    });
  });

  it("go on after a restart where they were: what was told is not told again, and it takes a look to be over", async () => {
    await using world = await alertWorld();
    const first = world.node();
    await first.alerts.see(gone);
    world.clock.now += MINUTE;
    await first.alerts.see(gone);
    await first.teller.tellAll();
    world.clock.now += 60 * MINUTE;
    const second = world.node();
    const started = world.clock.now;
    await second.alerts.settle(started, async () => false);
    await second.alerts.see(gone);
    await second.teller.tellAll();
    expect(world.told()).toEqual(["alert.platform_gone"]);
    world.clock.now += 2 * MINUTE;
    await second.alerts.settle(started, async () => false);
    await second.teller.tellAll();
    expect(world.told()).toEqual(["alert.platform_gone", "alert.platform_gone.over"]);
  });

  it("wait for a chat that cannot be reached, and come in their order once it can", async () => {
    await using world = await alertWorld();
    const { alerts, teller } = world.node();
    const start = world.clock.now;
    let isDown = true;
    world.chat.beforePost = () => {
      if (isDown) throw new ReelayError("not_posted");
    };
    await alerts.see(gone);
    world.clock.now += MINUTE;
    await alerts.see(gone);
    await teller.tellAll();
    world.clock.now += 5 * MINUTE;
    await alerts.settle(start, async () => false);
    await teller.tellAll();
    expect(world.told()).toEqual([]);
    isDown = false;
    world.clock.now += 10 * MINUTE;
    await teller.tellAll();
    expect(world.told()).toEqual(["alert.platform_gone", "alert.platform_gone.over"]);
  });

  it("are not told in a place that the settings name no more", async () => {
    await using world = await alertWorld();
    const { alerts } = world.node(["telegram:-200"]);
    await alerts.see(gone);
    world.clock.now += MINUTE;
    await alerts.see(gone);
    await world.node().teller.tellAll();
    expect(world.told()).toEqual([]);
    await world.node(["telegram:-200"]).teller.tellAll();
    expect(world.told()).toEqual(["alert.platform_gone"]);
  });

  it("are tried out in every place, and it is known whether it arrived", async () => {
    await using world = await alertWorld({ places: [CHAT, HOOK] });
    const { alerts, teller } = world.node();
    const told = await alerts.test();
    expect(told.map(({ place }) => place)).toEqual([CHAT, HOOK]);
    expect(await alerts.failuresOf("test", told[0]?.id ?? "")).toBe(0);
    await teller.tellAll();
    expect(await alerts.failuresOf("test", told[0]?.id ?? "")).toBeUndefined();
    expect(world.told()).toEqual(["alert.test"]);
    expect((await world.webhooks()).map(({ type }) => type)).toEqual(["alert.test"]);
    expect(await alerts.list()).toEqual([]);
  });
});
