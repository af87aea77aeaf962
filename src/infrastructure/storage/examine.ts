import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/**
 * Reads a whole database, as far as SQLite can check it.
 * @returns what is wrong with it, in SQLite's words; nothing where all is well, or where there is none yet
 */
export function damageOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const sqlite = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = sqlite.prepare("pragma quick_check(5)").all();
    return rows.map((row) => String(row["quick_check"])).filter((said) => said !== "ok");
  } finally {
    sqlite.close();
  }
}
