import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, vi } from "vitest";
import { ARRIVED } from "../../src/common/memory.ts";
import { post, uploadFile } from "../adapters/web/support/client.ts";
import { Child, type Home } from "../support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../support/crash-photos.ts";
import { openModeration } from "../support/moderation.ts";
import { testSandbox } from "../support/sandbox.ts";
import { homeAt, untilSettled } from "./trial.ts";
import { mischarged, miscounted, mistold } from "./verdict.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const ASKED = { prompt: "slow zoom", photo: 1, accepted: true } as const;
const [, PHOTO = new Uint8Array()] = PHOTOS;

/** What is on disk: requests that nobody has dealt with, and jobs. */
function keptIn({ data }: Home) {
  using database = new DatabaseSync(join(data, "reelay.db"), { readOnly: true });
  const count = (of: string) => database.prepare(`select count(*) as count from ${of}`).get()?.["count"];
  return { arrived: count(`kv where key like '${ARRIVED}%'`), jobs: count("jobs") };
}

/** Presses as the page does, which names each draft. @returns whether it was answered that it was taken */
async function press(url: string): Promise<boolean> {
  const image = await uploadFile(url, "photo.jpg", "image/jpeg", PHOTO);
  const values = { image, prompt: ASKED.prompt, duration: 6 };
  const asking = { values, agreed: ["terms", "consent"], draft: "a" };
  return post(url, "/web/command/video", asking).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Where nothing is lost that was pressed: until its job is there, and once it is. */
const moments = [
  ["before its job is written", 1, { arrived: 1, jobs: 0 }],
  ["before its job is written, and so is the next process that goes on with it", 2, { arrived: 1, jobs: 0 }],
  ["as soon as its job is written", 0, { arrived: 1, jobs: 1 }],
] as const;

it.concurrent.each(moments)(
  "killed %s, what was pressed on the page is one job at the next start, answered, and paid for once",
  { timeout: 3 * PATIENCE_MS },
  async (_name, held, left) => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    // It is asked last before a job is written: whoever waits for its answer stands there for as long as it takes.
    const answers = Promise.withResolvers<void>();
    await using moderation = await openModeration({ until: answers.promise });
    const home = homeAt(sandbox, {
      REELAY_MODERATION_URL: moderation.settings.url,
      REELAY_MODERATION_KEY: moderation.settings.key,
      REELAY_MODERATION_TIMEOUT_MS: "120000",
    });
    if (held === 0) answers.resolve();
    using pressed = new Child(home, ["start"], held === 0 ? { point: "queued" } : undefined);
    const answer = press((await pressed.url) ?? "");
    // It is heard of below.
    answer.catch(() => undefined);
    const killHeld = async (child: Child, nth: number) => {
      // Each process asks about the words, and about the photo.
      await vi.waitFor(() => expect(moderation.requests()).toBe(2 * nth), {
        timeout: PATIENCE_MS,
        interval: 50,
      });
      child.kill();
      await child.untilKilled();
    };
    if (held > 0) await killHeld(pressed, 1);
    await pressed.untilKilled();
    expect(await answer).toBe(false);
    for (let nth = 2; nth <= held; nth++) {
      using next = new Child(home);
      await killHeld(next, nth);
    }
    expect(keptIn(home)).toEqual(left);
    expect((await sandbox.ledger()).submissions).toEqual([]);

    answers.resolve();
    using last = new Child(home);
    const told = await untilSettled(last, [ASKED]);
    // Whoever heard no answer presses once more.
    expect(await press((await last.url) ?? "")).toBe(true);
    expect(keptIn(home)).toEqual({ arrived: 0, jobs: 1 });
    expect((await last.conversation()).map(({ body }) => body.kind)).toEqual(["request", "result"]);
    expect(await mistold(last, [ASKED], told, "result")).toEqual([]);
    expect(await mischarged(sandbox, [ASKED], told)).toEqual([]);
    expect(await miscounted(home, sandbox)).toEqual([]);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  },
);
