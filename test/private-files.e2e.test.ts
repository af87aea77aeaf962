import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "./support/sandbox.ts";

const PROGRAM = fileURLToPath(new URL("../tools/reelay.js", import.meta.url));

it("lets nobody else read what it keeps, whatever its umask and the folder that it was given", async () => {
  const home = temporaryFolder();
  const data = join(home, "data");
  await mkdir(data);
  await chmod(data, 0o777);
  const env = { ...process.env, REELAY_DATA: data, REELAY_LOG_LEVEL: "silent" };
  const make = `umask 000; exec "${process.execPath}" "${PROGRAM}" run image --prompt "a lighthouse" --agree terms --json`;
  await promisify(execFile)("sh", ["-c", make], { cwd: home, env });
  const names = await readdir(data);
  const open = await Promise.all(
    names.map(async (name) => [name, (await stat(join(data, name))).mode & 0o077] as const),
  );
  expect(names).toEqual(expect.arrayContaining(["reelay.db", "sandbox"]));
  expect(open.filter(([, others]) => others !== 0)).toEqual([]);
  expect((await stat(join(data, "sandbox", "sandbox.db"))).mode & 0o777).toBe(0o600);
});
