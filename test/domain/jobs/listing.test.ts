import { join } from "node:path";
import { expect, it } from "vitest";
import { waitingForKey } from "../../../src/domain/jobs/listing.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { explained } from "../../support/explained.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it.each([{ user: "telegram:ann" }, { chat: "telegram:-1" }] as const)(
  "finds what waits for a key among what goes on, whatever there was before: %j",
  async (payer) => {
    const path = join(temporaryFolder(), "reelay.db");
    const opened = await openDatabase(path);
    const { database, plans } = explained(opened, path);
    await waitingForKey(database, payer);
    expect(plans[0]).toMatch(/INDEX jobs_(going_on \(user=\? AND going_on=\?\)|open_by_\w+)/);
    await opened.close();
  },
);
