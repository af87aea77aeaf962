import { afterAll, expect, it, vi } from "vitest";
import { post, uploadFile } from "../adapters/web/support/client.ts";
import { Child, hasMachines, onOwnMachine } from "../support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../support/crash-photos.ts";
import { openModeration } from "../support/moderation.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { startPostgres } from "../support/postgres.ts";
import { testSandbox } from "../support/sandbox.ts";
import { homeAt, untilSettled } from "./trial.ts";
import { mischarged, mistold } from "./verdict.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const MACHINES = hasMachines();
const ASKED = { prompt: "slow zoom", photo: 1, accepted: true } as const;
const [, PHOTO = new Uint8Array()] = PHOTOS;

it.runIf(server)(
  "what was pressed on the page of a node that is killed goes on at one that runs, once, and is paid for once",
  { timeout: 3 * PATIENCE_MS },
  async () => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    // It is asked last before a job is written: whoever waits for its answer stands there for as long as it takes.
    const answers = Promise.withResolvers<void>();
    await using moderation = await openModeration({ until: answers.promise });
    const home = homeAt(sandbox, {
      REELAY_STORE: (await server?.createDatabase()) ?? "",
      REELAY_MODERATION_URL: moderation.settings.url,
      REELAY_MODERATION_KEY: moderation.settings.key,
      REELAY_MODERATION_TIMEOUT_MS: "120000",
    });
    const node = () => new Child({ ...home, within: MACHINES ? onOwnMachine() : [] });
    const untilAsked = (requests: number) =>
      vi.waitFor(() => expect(moderation.requests()).toBe(requests), {
        timeout: PATIENCE_MS,
        interval: 50,
      });
    using pressed = node();
    const url = (await pressed.url) ?? "";
    using other = node();
    await other.url;
    const image = await uploadFile(url, "photo.jpg", "image/jpeg", PHOTO);
    const values = { image, prompt: ASKED.prompt, duration: 6 };
    post(url, "/web/command/video", { values, agreed: ["terms", "consent"], draft: "a" }).catch(() => {});
    // Each node asks about the words, and about the photo.
    await untilAsked(2);
    pressed.kill();
    await pressed.untilKilled();
    await untilAsked(4);

    answers.resolve();
    const told = await untilSettled(other, [ASKED]);
    expect((await other.conversation()).map(({ body }) => body.kind)).toEqual(["request", "result"]);
    expect(await mistold(other, [ASKED], told, "result")).toEqual([]);
    expect(await mischarged(sandbox, [ASKED], told)).toEqual([]);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  },
);
