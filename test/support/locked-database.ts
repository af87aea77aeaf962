import { DatabaseSync } from "node:sqlite";

/** Locks a database whose log is beside it no more: whoever reads it waits within SQLite, until it is let go of. */
export function lockDatabase(path: string): { release(): void } {
  const holder = new DatabaseSync(path);
  holder.exec("pragma journal_mode = delete; begin exclusive");
  return { release: () => holder.close() };
}
