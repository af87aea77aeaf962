import { expect, it } from "vitest";
import { watchEgresses } from "../../../../src/domain/alerts/watchers/egresses.ts";

const none: readonly string[] = [];

it.each([
  { names: ["office"], away: none, told: none },
  { names: ["office"], away: ["office"], told: none },
  { names: ["office", "second", "third"], away: ["second"], told: ["second"] },
  { names: ["office", "second", "third"], away: ["third", "office"], told: ["office", "third"] },
  { names: ["office", "second"], away: ["office", "second"], told: none },
])("of $names, of which $away cannot be left by, $told are told", async ({ names, away, told }) => {
  const watcher = watchEgresses(() => names.map((name) => ({ name, isAway: away.includes(name) })));
  expect(await watcher.look(new AbortController().signal)).toEqual(
    told.map((name) => ({ kind: "egress_away", of: name, params: { name } })),
  );
});
