import { readdirSync, rmSync } from "node:fs";

/** Some ten whole runs: a test file is compiled under a name of its own in each, since Vitest imports it under one. */
const MOST = 20_000;

/** Empties the folder that Node keeps what it compiled in, once there is so much of it that most is never read again. */
export default function emptyCompiled({ config }: { config: { env: Record<string, string> } }): void {
  const folder = config.env["NODE_COMPILE_CACHE"] ?? "";
  const count = folder === "" ? 0 : filesIn(folder);
  if (count > MOST) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function filesIn(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true }).length;
  } catch {
    // There is none yet.
    return 0;
  }
}
