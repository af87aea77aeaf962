import { join } from "node:path";
import type { StatementName, UserId } from "../../src/chat/values.ts";
import { People } from "../../src/people/people.ts";
import { versionOf } from "../../src/policy/statements.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { memory } from "../../src/storage/key-value.ts";

/** Lets somebody have stated something before, as whoever uses Reelay for long has. A program may be running there. */
export async function haveStated(
  data: string,
  user: UserId,
  statements: readonly StatementName[] = ["terms", "consent"],
): Promise<void> {
  const database = await openDatabase(join(data, "reelay.db"));
  const people = new People(memory(database, "people"));
  const surface = user.slice(0, user.indexOf(":")) as "telegram" | "discord" | "web" | "cli";
  for (const statement of statements)
    await people.declare(user, statement, {
      version: versionOf(statement, undefined),
      at: Date.now(),
      surface,
    });
  await database.close();
}
