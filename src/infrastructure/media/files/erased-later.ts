import type { Memory } from "../../../common/memory.ts";
import { ReelayError } from "../../../common/errors.ts";
import type { MediaFiles } from "./files.ts";

/** Files of which none stays because its store did not answer when it was erased. */
export interface FilesErasedLater extends MediaFiles {
  /** Erases what could not be erased, unless somebody needs it by now. @throws ReelayError `storage_down` where it still cannot be */
  sweep(): Promise<void>;
}

/**
 * Has erasing succeed where the store of files does not answer: what is to go is noted, and goes with a later sweep. Whoever has
 * somebody's things erased has forgotten by then which they were.
 * @param memory for the notes, of this alone
 */
export function erasedLater(files: MediaFiles, memory: Memory): FilesErasedLater {
  return {
    ...files,
    async remove(id) {
      try {
        await files.remove(id);
      } catch (error) {
        if (!(error instanceof ReelayError && error.code === "storage_down")) throw error;
        await memory.set(id, Date.now());
      }
    },
    async sweep() {
      for (const [id] of await memory.entries<number>()) {
        await files.remove(id);
        await memory.delete(id);
      }
    },
  };
}
