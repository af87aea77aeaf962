import { join } from "node:path";
import { expect, it } from "vitest";
import { examine } from "../../src/app/doctor.ts";
import { keepTime } from "../../src/infrastructure/storage/clock.ts";
import { openDatabase } from "../../src/infrastructure/storage/database.ts";
import { memory } from "../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../support/sandbox.ts";

it("says that the clock was set back since Reelay last ran, until it runs again", async () => {
  const data = temporaryFolder();
  const store = join(data, "reelay.db");
  const database = await openDatabase(store);
  const found = async () => {
    const checks = await examine({ REELAY_DATA: data, REELAY_API_URL: "http://127.0.0.1:1/api" });
    return checks.filter(({ name }) => name === "clock");
  };
  expect(await found()).toEqual([]);
  await memory(database, "clock").set("time", { last: Date.now() + 7_200_000, setBackAt: 0 });
  const said = "set back by 120 min since Reelay last ran; what waits goes on once it starts";
  expect(await found()).toEqual([{ name: "clock", ok: true, found: said }]);
  await keepTime(database);
  expect(await found()).toEqual([]);
  await database.close();
});
