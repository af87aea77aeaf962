/** Has the tests of the console in a browser take the pictures of its guide: `npm run docs:console`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TESTS = "test/adapters/web/console";

/** The pictures of the guide, and which of the tests' each is. */
const PICTURES = {
  now: "now-desktop",
  phone: "now-phone-dark",
  job: "job-desktop",
  money: "money-desktop",
  people: "people-desktop",
  partners: "partner-webhooks-desktop",
  rules: "rules-asked-desktop",
  keys: "keys-desktop",
  log: "log-desktop",
  operators: "operators-desktop",
} as const;

/** What is further down tells no more, in pixels. */
const HEIGHT = 1_300;

const folder = mkdtempSync(join(tmpdir(), "reelay-console-"));
try {
  const tests = spawn("vitest", ["run", TESTS], {
    cwd: ROOT,
    env: { ...process.env, REELAY_TEST_SHOTS: folder },
    stdio: "inherit",
  });
  const [status] = (await once(tests, "exit")) as [number | null];
  if (status !== 0) throw new Error("The console's tests failed: their pictures may show anything.");
  for (const [name, shot] of Object.entries(PICTURES)) {
    const picture = sharp(join(folder, `${shot}.png`));
    const { width, height } = await picture.metadata();
    await picture
      .extract({ left: 0, top: 0, width, height: Math.min(height, HEIGHT) })
      .webp({ quality: 72 })
      .toFile(join(ROOT, `docs/console-${name}.webp`));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
