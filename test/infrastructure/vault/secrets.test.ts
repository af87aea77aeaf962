import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { secretsFile } from "../../../src/infrastructure/vault/secrets.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it.skipIf(process.platform === "win32")(
  "is safe from a power cut, in its file and its folder's list",
  async () => {
    const folder = temporaryFolder();
    const handle = await open(folder);
    const prototype = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    const synced = vi.spyOn(prototype, "sync");
    onTestFinished(() => void vi.restoreAllMocks());
    const secrets = secretsFile(join(folder, "secret"), makeLogger({ level: "silent" }));
    await secrets.read();
    expect(synced).toHaveBeenCalledTimes(2);
    await secrets.renew();
    expect(synced).toHaveBeenCalledTimes(4);
    expect(await readdir(folder)).toEqual(["secret"]);
  },
);
