import { afterAll, describe, expect, it } from "vitest";
import { Child } from "../support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../support/crash-photos.ts";
import { startPostgres } from "../support/postgres.ts";
import { testSandbox } from "../support/sandbox.ts";
import { homeAt, type Life, trial, untilSettled } from "./trial.ts";
import { mischarged, mistold } from "./verdict.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

/** The settings of an installation whose store is a database of its own. */
const onPostgres = async () => ({ REELAY_STORE: (await server?.createDatabase()) ?? "" });

const order = (nth: number) => ({
  prompt: `slow zoom ${nth}`,
  photo: PHOTOS[nth] ?? new Uint8Array(),
  duration: 6,
});

describe.runIf(server)(
  "on PostgreSQL, killed or stopped, it delivers every job and charges none twice",
  () => {
    const chains: readonly (readonly Life[])[] = [
      [
        { asks: 3, kill: { point: "queued", nth: 2 } },
        { asks: 1, kill: { point: "submitting" } },
        { asks: 0, kill: { point: "deliver" } },
      ],
      [
        { asks: 2, kill: { point: "post" } },
        { asks: 1, kill: { point: "posted" } },
        { asks: 0, kill: { point: "delivered" } },
      ],
      [
        { asks: 2, kill: { point: "running" } },
        { asks: 1, kill: { after: "asking", ms: 300 } },
        { asks: 0, kill: { point: "completed" } },
      ],
    ];
    it.each(chains)("%#", { timeout: 3 * PATIENCE_MS }, async (...lives) => {
      expect(await trial(lives, { settings: await onPostgres() })).toEqual([]);
    });

    it(
      "stopped in the middle and started again, and the server, too",
      { timeout: 3 * PATIENCE_MS },
      async () => {
        await using sandbox = await testSandbox({ render: tellingRenderer });
        const home = homeAt(sandbox, await onPostgres());
        const asked = [0, 1].map((nth) => ({ prompt: `slow zoom ${nth}`, photo: nth, accepted: true }));
        using stopped = new Child(home);
        expect(await stopped.ask(order(0))).toBe(true);
        stopped.stop();
        expect(await stopped.ended()).toBe(0);
        using last = new Child(home);
        expect(await last.ask(order(1))).toBe(true);
        await server?.crash();
        const told = await untilSettled(last, asked);
        expect(await mistold(last, asked, told, "result")).toEqual([]);
        expect(await mischarged(sandbox, asked, told)).toEqual([]);
      },
    );
  },
);
