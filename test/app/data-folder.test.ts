import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openStore } from "../../src/app/data-folder.ts";
import { temporaryFolder } from "../support/sandbox.ts";

const MODULE = new URL("../../src/app/data-folder.ts", import.meta.url).href;

it("is made with those around it, for its owner alone", async () => {
  const data = join(temporaryFolder(), "a", "b");
  const database = await openStore({ data, store: join(data, "c", "reelay.db") });
  await database.close();
  expect(existsSync(join(data, "c", "reelay.db"))).toBe(true);
  expect(statSync(data).mode & 0o777).toBe(0o700);
});

it.runIf(existsSync("/proc/self"))(
  "that cannot be made is told by its setting, and does not hang",
  async () => {
    const code = `import { openStore } from ${JSON.stringify(MODULE)};
    try { await openStore({ data: "/proc/x", store: "/proc/x/reelay.db" }); } catch (error) { console.log(error.message); }`;
    // Node's own way to make folders never returns there, deaf to everything but SIGKILL.
    const options = { timeout: 60_000, killSignal: "SIGKILL" } as const;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", code],
      options,
    );
    expect(stdout.trim()).toBe(
      'REELAY_DATA: found "/proc/x", wanted a folder that can be written to (ENOENT)',
    );
  },
);
