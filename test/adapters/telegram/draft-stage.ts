import type { TestSandbox } from "../../support/sandbox.ts";
import type { SeenMessage } from "../../support/telegram/seen.ts";

/** Whether a message is what was made. */
export const isResult = ({ from, media, text }: SeenMessage) =>
  from === "bot" && (media?.kind === "video" || media?.kind === "photo" || text.startsWith("RESULT"));

/** What was asked of the service, oldest first. */
export async function submitted({
  sandbox,
}: {
  readonly sandbox: TestSandbox;
}): Promise<readonly (string | null)[]> {
  const { submissions } = await sandbox.ledger();
  return submissions.map(({ prompt }) => prompt);
}
