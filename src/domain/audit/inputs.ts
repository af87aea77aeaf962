import type { Readable } from "node:stream";
import type { MediaFiles } from "../../infrastructure/media/files/files.ts";
import { hashed } from "../../infrastructure/media/files/hashed.ts";
import type { Audit } from "./audit.ts";

/** More than any file that people can give, in bytes. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

/** What the audit learns of the files that people give, as they are read to be sent. */
export interface AuditedInputs {
  /**
   * Notes the digest of a job's file, once it was read to its end.
   * @returns the same file, to be read instead
   */
  watch(job: string, file: Readable): Promise<Readable>;
  /**
   * Erases the copies that no line of the audit names any more.
   * @param since names in older lines do not count; left out, all do. Milliseconds since 1970
   */
  sweep(since?: number): Promise<void>;
}

/**
 * Opens them.
 * @param copies where a copy of each file is kept, or was kept before
 * @param keeping whether the operator wants copies, not digests alone
 */
export function openInputs(
  audit: Pick<Audit, "noteFile" | "fileNames">,
  copies: MediaFiles,
  keeping: boolean,
): AuditedInputs {
  return {
    async watch(job, file) {
      const note = (digest: string) => audit.noteFile(job, digest);
      if (!keeping) return hashed(file, note);
      // Named before it is there, so that no sweep comes between.
      const { id } = await copies.put(file, MAX_FILE_BYTES, note);
      return copies.open(id);
    },

    async sweep(since = 0) {
      const there: string[] = [];
      for await (const { id } of copies.list()) there.push(id);
      if (there.length === 0) return;
      const named = await audit.fileNames(since);
      for (const id of there) if (!named.has(id)) await copies.remove(id);
    },
  };
}
