import type { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import type { MediaFiles } from "./files.ts";
import { currentTime } from "../../../common/time.ts";

/** Until when somebody needs a file, in milliseconds since 1970; left out: until they release it. */
export interface Hold {
  /** Whoever needs it: a request, a job. */
  readonly owner: string;
  readonly until?: number | undefined;
}

/** Files in a room of their own that exist as long as somebody needs them. */
export interface HeldFiles extends Pick<MediaFiles, "open" | "stat"> {
  /** Keeps a file, held from its first moment. Bounds and errors as `MediaFiles.put`. */
  put(source: Readable, maxBytes: number, hold: Hold): Promise<{ id: string; bytes: number }>;
  /** The same with a file that was written already; see `MediaFiles.adopt`. */
  adopt(file: Parameters<MediaFiles["adopt"]>[0], maxBytes: number, hold: Hold): ReturnType<HeldFiles["put"]>;
  /** Ends every hold of an owner; what nobody else needs is erased. */
  release(owner: string): Promise<void>;
  /** The same for all owners whose names begin with this one and a space. */
  releaseAll(group: string): Promise<void>;
  /** Ends the holds for a purpose (`<who> <purpose> <what>` is their owner's name) that would end by a time. */
  expire(purpose: string, until: number): Promise<void>;
  /** Whether somebody needs a file: it is to be there. */
  isHeld(file: string): Promise<boolean>;
  /** Erases what nobody needs any more. */
  sweep(): Promise<void>;
}

type Erase = (file: string) => Promise<void>;

/** Who needs which file. What `erase` is called for, nobody can begin to hold meanwhile. */
export interface Holds {
  /** Of two times of one owner for one file the later one counts. */
  add(file: string, hold: Hold): Promise<void>;
  /** Ends every hold of an owner. */
  release(owner: string, erase: Erase): Promise<void>;
  /** Ends every hold of all owners whose names begin with this one and a space. */
  releaseAll(group: string, erase: Erase): Promise<void>;
  /** Ends the holds whose time has come; those for one purpose, or all. */
  expire(now: number, erase: Erase, purpose?: string): Promise<void>;
  /** Erases those of these files that nobody holds. */
  eraseUnheld(files: readonly string[], erase: Erase): Promise<void>;
  /** Whether somebody holds a file. */
  isHeld(file: string): Promise<boolean>;
  /** Every file that somebody holds. */
  held(): Promise<ReadonlySet<string>>;
}

/** A file of no hold that is older was left behind by a crash, or by somebody who is about to hold it again. */
const LEFT_BEHIND_MS = 3_600_000;

/** Files of which each is held by somebody. @param files a room that nobody else keeps anything in */
export function openHeldFiles(files: MediaFiles, holds: Holds): HeldFiles {
  // Whoever ends a hold is not to fail over a file that cannot be erased now: the next sweep finds it.
  const erase: Erase = (file) =>
    files.remove(file).catch((error: unknown) => {
      if (!(error instanceof ReelayError && error.code === "storage_down")) throw error;
    });

  return {
    open: (id, range) => files.open(id, range),
    stat: (id) => files.stat(id),
    // Held before it gets its name: whoever ends the last other hold meanwhile erases what was there before.
    put: (source, maxBytes, hold) => files.put(source, maxBytes, (id) => holds.add(id, hold)),
    adopt: (file, maxBytes, hold) => files.adopt(file, maxBytes, (id) => holds.add(id, hold)),
    release: (owner) => holds.release(owner, erase),
    releaseAll: (group) => holds.releaseAll(group, erase),
    isHeld: (file) => holds.isHeld(file),
    expire: (purpose, until) => holds.expire(until, erase, purpose),

    async sweep() {
      await holds.expire(currentTime(), erase);
      const held = await holds.held();
      const old: string[] = [];
      for await (const { id, keptAt } of files.list()) {
        if (held.has(id)) continue;
        // Somebody else may have erased it since.
        const at = await keptAt();
        if (at !== undefined && at < Date.now() - LEFT_BEHIND_MS) old.push(id);
      }
      await holds.eraseUnheld(old, erase);
    },
  };
}
