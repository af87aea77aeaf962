import { describe, expect, it } from "vitest";
import { join } from "node:path";
import { Ledger } from "../../src/jobs/ledger.ts";
import { Runners } from "../../src/jobs/runners.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { aRequest } from "../support/job.ts";
import { temporaryFolder } from "../support/sandbox.ts";

describe("the processes of a data folder", () => {
  it("are known as long as they live, and struck off when they left nothing open", async () => {
    const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
    const [living, tidy, untidy, heir] = [1, 2, 3, 4].map(() => new Runners(database));
    if (!living || !tidy || !untidy || !heir) throw new Error("There are four.");
    for (const runners of [living, tidy, untidy, heir]) await runners.start();
    // The same process number under another id is one that lived before; a parent's is another that lives.
    const parent = { pid: process.ppid, beat_at: Date.now() };
    await database.kysely.updateTable("runners").set(parent).where("id", "=", living.id).execute();
    const left = await new Ledger(database, untidy.id).add(aRequest(), 1);
    await tidy.stop();

    expect(new Set(await heir.gone())).toEqual(new Set([tidy.id, untidy.id]));
    await heir.forget(await heir.gone());
    expect(await heir.gone()).toEqual([untidy.id]);
    const ledger = new Ledger(database, heir.id);
    expect(await ledger.adopt(await heir.gone(), ["web"])).toBe(1);
    await heir.forget(await heir.gone());
    expect(await heir.gone()).toEqual([]);
    expect((await ledger.inState("queued")).map(({ id }) => id)).toEqual([left.id]);
    for (const runners of [living, untidy, heir]) await runners.stop();
    await database.close();
  });

  it("that were silent for long are gone, whatever their number", async () => {
    const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
    const [silent, other] = [new Runners(database), new Runners(database)];
    await silent.start();
    const hung = { pid: process.ppid, beat_at: Date.now() - 31_000 };
    await database.kysely.updateTable("runners").set(hung).where("id", "=", silent.id).execute();
    expect(await other.gone()).toEqual([silent.id]);
    await silent.stop();
    await database.close();
  });
});
