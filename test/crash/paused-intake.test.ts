import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, vi } from "vitest";
import { Child, type Home } from "../support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../support/crash-photos.ts";
import { testSandbox } from "../support/sandbox.ts";
import { homeAt, untilSettled } from "./trial.ts";
import { mischarged, mistold } from "./verdict.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/** When a photo is handed to the decoder: as it comes, as what it shows is looked up, as it is made fit to be sent. */
const STAGES = [1, 2, 3] as const;

/** Each alone, and together with the process that was handed the photo. */
const STOPS = STAGES.flatMap((nth) => [false, true].map((together) => ({ nth, together })));

/** Who is listed as living, by number. */
function listedIn({ data }: Home): readonly unknown[] {
  using database = new DatabaseSync(join(data, "reelay.db"), { readOnly: true });
  return database
    .prepare("select pid from runners")
    .all()
    .map(({ pid }) => pid);
}

/** What it warned of, but for the lock of one that stood still while it wrote. */
const complaintsOf = ({ output }: Child) =>
  output
    .split("\n")
    .filter((line) => /"level":"(warn|error)"/.test(line) && !line.includes("database is locked"));

const until = (look: () => void) => vi.waitFor(look, { timeout: PATIENCE_MS, interval: 150 });

it(
  "one that stands still while it takes a photo in goes on with it, though another took it for gone",
  { timeout: 3 * PATIENCE_MS },
  async () => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    const home = homeAt(sandbox);
    // Whoever is silent for 5 s is taken for gone.
    const shared = { ...home, env: { ...home.env, REELAY_RATE_WINDOW_MS: "10000" } };
    using heir = new Child(shared);
    await heir.url;
    const asked = STOPS.map((_, nth) => ({
      prompt: `slow zoom ${nth}`,
      photo: nth % PHOTOS.length,
      accepted: true,
    }));
    const asking = asked.map(async ({ prompt, photo }, nth) => {
      using paused = new Child(shared, ["start"], { point: "decode", signal: "SIGSTOP", ...STOPS[nth] });
      const answer = paused.ask({ prompt, photo: PHOTOS[photo] ?? new Uint8Array(), duration: 6 });
      // Both are heard of below.
      answer.catch(() => undefined);
      await until(() => expect(paused.isStopped).toBe(true));
      await until(() => expect(listedIn(shared)).not.toContain(paused.pid));
      paused.resume();
      expect(await answer).toBe(true);
      paused.stop();
      await paused.ended();
      expect(complaintsOf(paused)).toEqual([]);
    });
    await Promise.all(asking);
    const told = await untilSettled(heir, asked);
    expect(await mistold(heir, asked, told, "result")).toEqual([]);
    expect(await mischarged(sandbox, asked, told)).toEqual([]);
  },
);
