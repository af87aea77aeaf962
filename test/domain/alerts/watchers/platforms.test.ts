import { expect, it } from "vitest";
import { watchPlatforms } from "../../../../src/domain/alerts/watchers/platforms.ts";

it("platforms that people do not reach are gone", async () => {
  const ready = { telegram: true, discord: true };
  const names = ["telegram", "discord"] as const;
  const watcher = watchPlatforms(() => names.map((name) => ({ name, ready: () => ready[name] })));
  const look = () => watcher.look(new AbortController().signal);
  expect(await look()).toEqual([]);
  ready.discord = false;
  expect(await look()).toEqual([{ kind: "platform_gone", of: "discord", params: { platform: "Discord" } }]);
});
