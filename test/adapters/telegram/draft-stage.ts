import { expect, vi } from "vitest";
import type { TestSandbox } from "../../support/sandbox.ts";
import type { SeenMessage } from "../../support/telegram/seen.ts";

/** Whether a message is what was made. */
export const isResult = ({ from, media, history }: SeenMessage) =>
  from === "bot" && media !== undefined && history.length === 0;

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
  return vi.waitFor(look, { timeout: 10_000 });
}
