import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { temporaryFolder, testSandbox } from "../support/sandbox.ts";
import { caller, ended, submit } from "./call.ts";

const WORDS = "a heron over the reeds";
const KEPT = "a walrus on a swing";

/** The files below a folder that hold these words, in whatever is left of them. */
function holding(dir: string, words: string): readonly string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => readFileSync(path).includes(words));
}

describe("what is deleted (section 4.14)", () => {
  it.each(["by itself", "with all others"])(
    "leaves no word, %s: only that it was there, and what it cost",
    async (how) => {
      const dir = temporaryFolder();
      await using sandbox = await testSandbox({ dir });
      const call = caller(sandbox.url, sandbox.keys.pro);
      const other = caller(sandbox.url, sandbox.keys.ultra);
      const job = await submit(call, { prompt: WORDS, in_app_username: "ann-of-the-reeds" });
      const left = await submit(other, { prompt: KEPT });
      await ended(call, job);
      await ended(other, left);
      expect(holding(dir, WORDS)).not.toEqual([]);
      const path = how === "by itself" ? `/jobs/delete/${job}` : "/jobs/delete-all";
      expect(await call("DELETE", path)).toMatchObject({ status: 200 });

      for (const words of [WORDS, "ann-of-the-reeds"]) expect(holding(dir, words)).toEqual([]);
      expect((await sandbox.ledger()).submissions).toMatchObject([
        { job_id: job, account: "pro", type: "video", cost: 2.7, prompt: null, in_app_username: null },
        { job_id: left, prompt: KEPT },
      ]);
    },
  );

  it("leaves none in a folder of an older version, which kept them", async () => {
    const dir = temporaryFolder();
    const old = await testSandbox({ dir });
    const call = caller(old.url, old.keys.pro);
    const [job, left] = [await submit(call, { prompt: WORDS }), await submit(call, { prompt: KEPT })];
    await ended(call, left);
    await old.stop();
    const db = new DatabaseSync(join(dir, "sandbox.db"));
    db.prepare("DELETE FROM jobs WHERE id = ?").run(job);
    db.exec("PRAGMA user_version = 2");
    db.close();
    expect(holding(dir, WORDS)).not.toEqual([]);

    await using sandbox = await testSandbox({ dir });
    expect(holding(dir, WORDS)).toEqual([]);
    expect((await sandbox.ledger()).submissions).toMatchObject([{ prompt: null }, { prompt: KEPT }]);
  });
});
