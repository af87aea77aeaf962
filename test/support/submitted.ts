import { expect, vi } from "vitest";
import type { TestSandbox } from "./sandbox.ts";
import { PATIENCE_MS } from "./patience.ts";

/** The prompts of what was sent to the service, oldest first, once there are so many of them. */
export async function submitted(
  { sandbox }: { readonly sandbox: TestSandbox },
  count: number,
): Promise<readonly (string | null)[]> {
  const look = async () => {
    const { submissions } = await sandbox.ledger();
    expect(submissions.length).toBeGreaterThanOrEqual(count);
    return submissions.map(({ prompt }) => prompt);
  };
  return vi.waitFor(look, { timeout: PATIENCE_MS });
}
