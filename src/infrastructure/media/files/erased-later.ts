import type { Memory } from "../../../common/memory.ts";
import { ReelayError } from "../../../common/errors.ts";
import { checkedId, type MediaFiles } from "./files.ts";

/** Files of which none stays because its store did not answer when it was erased, or the process was killed meanwhile. */
export interface FilesErasedLater extends MediaFiles {
  /** Erases what could not be erased, unless somebody needs it by now. @throws ReelayError `storage_down` where it still cannot be */
  sweep(): Promise<void>;
}

/**
 * Has erasing succeed where the store of files does not answer: what is to go is noted before anything else, and goes with a later
 * sweep. Whoever has somebody's things erased has forgotten by then which they were, and so has a process after one that was killed.
 * @param memory for the notes, of this alone
 */
export function erasedLater(files: MediaFiles, memory: Memory): FilesErasedLater {
  /** They are needed until they are forgotten: a sweep would take that for good. */
  const underWay = new Set<string>();
  return {
    ...files,
    async remove(id, forget) {
      underWay.add(checkedId(id));
      try {
        await memory.set(id, Date.now());
        await forget?.();
        const isErased = await files.remove(id).then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof ReelayError && error.code === "storage_down")) throw error;
            return false;
          },
        );
        if (isErased) await memory.delete(id);
      } finally {
        underWay.delete(id);
      }
    },
    async sweep() {
      for (const [id] of await memory.entries<number>()) {
        if (underWay.has(id)) continue;
        await files.remove(id);
        await memory.delete(id);
      }
    },
  };
}
