import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { RATE_LIMITS } from "../../src/contract.ts";
import { testCore } from "../support/core.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";
import { person } from "../support/surface.ts";

it("stops without a stray rejection while a job that has its slot waits for the published rate", async () => {
  const stray = vi.fn<(reason: unknown) => void>();
  process.on("unhandledRejection", stray);
  onTestFinished(() => void process.off("unhandledRejection", stray));
  const image = { surface: "web", id: join(temporaryFolder(), "photo.jpg") } as const;
  await writeFile(image.id, Buffer.from(await testPicture(), "base64"));
  await using sandbox = await testSandbox({ jobSeconds: [60, 60] });
  const core = await testCore(sandbox, { sharedKey: sandbox.keys.boss, timeScale: 0.2 });
  for (let nth = 0; nth <= RATE_LIMITS.video; nth++)
    await core.surface.intake.command(person(`${nth}`), "video", { image, prompt: `${nth}` });
  await vi.waitFor(async () => expect((await sandbox.ledger()).submissions).toHaveLength(RATE_LIMITS.video), {
    timeout: 5_000,
  });
  await core[Symbol.asyncDispose]();
  // Node reports a rejection once its microtasks have run.
  await new Promise((resolve) => setImmediate(resolve));
  expect(stray).not.toHaveBeenCalled();
});
