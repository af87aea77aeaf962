import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Child, type Home } from "../../support/crash-child.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import { asksFor, isFilm } from "../../support/telegram/asks.ts";
import { FakeTelegram } from "../../support/telegram/fake-telegram.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

/** How long each life lasts from when it listens, in milliseconds. */
const LIVES_MS = [0, 250, 700, 1_500, 900, 2_500, 1_200, 400];

/** For as long as all of the lives last: each takes its time to start on a busy machine. */
const within = LIVES_MS.length * PATIENCE_MS;

describe("killed again and again while people talk to it", { timeout: 2 * within }, () => {
  it("answers everybody in the end, makes each job once, shows each result once and is never too fast", async () => {
    await using sandbox = await testSandbox();
    // A press is answered in whichever life it is.
    await using telegram = await FakeTelegram.start({ limits: { queryMs: within } });
    const home: Home = {
      data: temporaryFolder(),
      env: {
        REELAY_API_URL: sandbox.url,
        REELAY_API_KEY: sandbox.keys.ultra,
        REELAY_OPERATOR_KEY_FOR: "all",
        REELAY_SECRET: "a secret for tests only",
        REELAY_RATE_WINDOW_MS: "1200",
        REELAY_POLL_MS: "100",
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_API_ROOT: telegram.url,
      },
    };
    const people = ["Ann", "Bob", "Carla", "Dora"].map((name) => telegram.person({ name }));
    let everybody: Promise<unknown> = Promise.resolve();
    for (const [nth, ms] of LIVES_MS.entries()) {
      using life = new Child(home);
      if (nth === 0)
        everybody = Promise.all(people.map((one) => asksFor(one, `dance of ${one.user.first_name}`, within)));
      await life.url;
      await sleep(ms);
      life.kill();
      await life.untilKilled();
    }
    using _ = new Child(home);
    await everybody;
    const { submissions } = await sandbox.ledger();
    expect(submissions).toHaveLength(people.length);
    const prompts = new Set(submissions.map(({ prompt }) => prompt));
    expect(prompts).toEqual(new Set(people.map(({ user }) => `dance of ${user.first_name}`)));
    for (const person of people) expect(person.chat().filter(isFilm)).toHaveLength(1);
    expect(telegram.calls().filter(({ error }) => error?.code === 429)).toEqual([]);
  });
});
