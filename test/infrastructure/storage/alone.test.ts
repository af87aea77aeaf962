import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { alone, isLocked, locked } from "../../../src/infrastructure/storage/scratch.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const aPath = () => join(temporaryFolder(), "lock");

describe("what is done alone", () => {
  it("is refused while another one does it, and leaves nothing behind", async () => {
    const path = aPath();
    const other = locked(path);
    expect(isLocked(path)).toBe(true);
    expect(await alone(path, async () => "done")).toBeUndefined();
    other?.close();
    expect(await alone(path, async () => "done")).toBe("done");
    expect(existsSync(path)).toBe(false);
  });

  it("waits for whoever has the lock for a look only", async () => {
    const path = aPath();
    const look = locked(path);
    const doing = alone(path, async () => "done");
    await turn();
    look?.close();
    expect(await doing).toBe("done");
  });

  it("is done by one at a time, however many begin while others end", async () => {
    const path = aPath();
    let [inside, most, done] = [0, 0, 0];
    const work = async () => {
      most = Math.max(most, ++inside);
      for (let turns = 0; turns < 20; turns++) await turn();
      inside -= 1;
      done += 1;
    };
    const contender = async () => {
      for (let nth = 0; nth < 100; nth++) {
        await alone(path, work);
        await turn();
      }
    };
    await Promise.all(Array.from({ length: 4 }, contender));
    expect(done).toBeGreaterThan(0);
    expect(most).toBe(1);
  });
});
