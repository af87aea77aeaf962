import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import type { KillPoint } from "../../support/crash-child.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import { MemorySurface } from "../../support/surface.ts";
import { madeInGroup, harness, takenDown } from "./harness.ts";

const programOf = (name: string) => fileURLToPath(new URL(`${name}.ts`, import.meta.url));
const PRELOAD = new URL("../../support/crash-preload.ts", import.meta.url).href;

/** What a child is run with: it is no test. */
const { VITEST: _, ...env } = process.env;

/** A platform on which one message was posted before this process began. */
function platformWithOne(name: "telegram" | "web"): MemorySurface {
  const surface = new MemorySurface(name);
  surface.messages.push({ address: {}, views: [], files: [] });
  return surface;
}

describe("killed", () => {
  // The first telling is the result's.
  it.each<KillPoint>([{ point: "retell" }, { point: "deliver", nth: 2 }, { point: "delivered", nth: 2 }])(
    "at $point, between the last report and the end of the take-down, it takes the result down",
    async (killAt) => {
      await using sandbox = await testSandbox();
      const data = temporaryFolder();
      const given = JSON.stringify({ url: sandbox.url, key: sandbox.keys.ultra, data });
      const child = spawn(process.execPath, ["--import", PRELOAD, programOf("killed-child"), given], {
        env: { ...env, CRASH_AT: JSON.stringify(killAt) },
        stdio: ["ignore", "ignore", "inherit"],
      });
      expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
      const surface = platformWithOne("telegram");
      await using core = await harness(sandbox, { data, surface }, platformWithOne("web"));
      await takenDown(core);
    },
  );
});

describe("two processes", () => {
  it("to which the last reports come at once withhold the result once", async () => {
    await using sandbox = await testSandbox();
    const data = temporaryFolder();
    let job: string;
    {
      await using core = await harness(sandbox, { data });
      job = await madeInGroup(core);
    }
    const given = { url: sandbox.url, key: sandbox.keys.ultra, data, job };
    const run = (who: string) =>
      promisify(execFile)(
        process.execPath,
        [programOf("reporting-child"), JSON.stringify({ ...given, who })],
        { env },
      );
    const ended = await Promise.all(["bob", "cleo", "dan"].map(run));
    expect(
      ended
        .map(({ stdout }) => stdout)
        .toSorted()
        .join(""),
    ).toBe("001");
    await using core = await harness(sandbox, { data });
    const audit = await Audit.open(core.database, "digest");
    expect(await audit.read({ job, act: "withhold", limit: 9 })).toHaveLength(1);
    expect(await audit.read({ job, act: "report", limit: 9 })).toHaveLength(3);
  });
});
