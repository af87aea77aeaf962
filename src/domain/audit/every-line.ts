import type { AuditEntry, AuditQuery } from "../../seam/access/audit.ts";
import type { Audit } from "./audit.ts";

/** Lines read at once. */
const PAGE = 200;

/** Every line that is sought, the latest first; never more than a page of them is in memory. */
export async function* everyLine(
  audit: Pick<Audit, "read">,
  sought: Omit<AuditQuery, "before" | "limit">,
): AsyncGenerator<AuditEntry> {
  for (let before: number | undefined; ;) {
    const page = await audit.read({ ...sought, ...(before !== undefined && { before }), limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    before = page.at(-1)?.id;
  }
}
