import { join } from "node:path";
import { expect, it } from "vitest";
import { Sessions } from "../../../adapters/web/sessions.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it("leaves a session ended that was looked for while it ended", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const [id, user, start, minute] = ["a", "telegram:111", Date.now(), 60_000] as const;
  const during: (() => Promise<unknown>)[] = [];
  // The token is asked for between reading a session and noting that it was seen.
  const sessions = new Sessions(memory(database, "web"), async () => {
    await during.pop()?.();
    return "a login token";
  });
  const cookie = await sessions.open({ id, user, userAgent: undefined }, start);
  during.push(() => sessions.end({ id, user }));
  await sessions.find(cookie, start + minute);
  expect(await sessions.find(cookie, start + minute)).toBeUndefined();
  await database.close();
});
