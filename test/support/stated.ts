import type { StatementName, UserId } from "../../src/seam/values.ts";
import { People } from "../../src/domain/people/people.ts";
import { versionOf } from "../../src/domain/policy/statements.ts";
import type { Database } from "../../src/infrastructure/storage/database.ts";
import { memory } from "../../src/infrastructure/storage/key-value.ts";

/**
 * Lets somebody have stated something before, as whoever uses Reelay for long has.
 * @param database the one that a program of this process has open: another connection would hold up that process until
 * the first one's transaction ends, which it then cannot
 */
export async function haveStated(
  database: Database,
  user: UserId,
  statements: readonly StatementName[] = ["terms", "consent"],
): Promise<void> {
  const people = new People(memory(database, "people"));
  const surface = user.slice(0, user.indexOf(":")) as "telegram" | "discord" | "web" | "cli";
  for (const statement of statements)
    await people.declare(user, statement, {
      version: versionOf(statement, undefined),
      at: Date.now(),
      surface,
    });
}
