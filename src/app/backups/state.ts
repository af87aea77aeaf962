import type { SharedMemory } from "../../common/memory.ts";
import type { Watcher } from "../../domain/alerts/watcher.ts";

/** What is known of backups that the server makes. Times are milliseconds since 1970. */
export interface BackupState {
  /** When the last one began that is whole. */
  readonly madeAt?: number;
  /** When the last try failed, and why, in a word; gone once one succeeds. */
  readonly failed?: { readonly at: number; readonly reason: string };
  /** Until when it is made by whoever took it last. */
  readonly takenUntil?: number;
}

/** The entry's name in its namespace, `backups`. */
export const BACKUP_STATE = "state";

/** The last try, where none has succeeded since. @param backups the namespace `backups` */
export async function failureIn(backups: Pick<SharedMemory, "get">): Promise<BackupState["failed"]> {
  return (await backups.get<BackupState>(BACKUP_STATE))?.failed;
}

/** Sees that the last backup failed. */
export function watchBackups(backups: Pick<SharedMemory, "get">): Watcher {
  return {
    once: true,
    async look() {
      const failed = await failureIn(backups);
      return failed ? [{ kind: "backup_failed", params: { reason: failed.reason } }] : [];
    },
  };
}
