/** How the keys of what arrived from a platform begin, which may not be dealt with yet. */
export const ARRIVED = "arrived:";

/** The same of presses on the page that take something away for good, until they are answered. */
export const PRESSED = "pressed:";

/** A small store that an adapter may keep its own state in; survives restarts. */
export interface Memory {
  get<T>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown, ttlMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Makes an entry where there is none; of several processes that do so at once, one makes it.
   * @returns whether this one did
   */
  add(key: string, value: unknown, ttlMs?: number): Promise<boolean>;
  /**
   * Does what writes entries of what has happened outside, and cannot be undone there, until they are written.
   * @throws what `write` throws; `storage_down` where this process leaves before
   */
  keep<T>(write: () => Promise<T>): Promise<T>;
  /** Every entry that has not expired. @param prefix only those whose keys begin with it: the others are not read */
  entries<T>(prefix?: string): Promise<[key: string, value: T][]>;
}

/** The same, where several processes may be first at once. */
export interface SharedMemory extends Memory {
  /**
   * The value of an entry; where there is none, one is made and kept, and every process gets that one.
   * @param ttlMs how long one that is made is kept, in milliseconds; for good unless given
   */
  once<T>(key: string, make: () => T, ttlMs?: number): Promise<T>;
  /**
   * Changes an entry, or makes it; nobody else changes it in between.
   * @param change undefined: it stays as it is
   * @param ttlMs how long the changed one is kept, in milliseconds; for good unless given
   */
  change<T>(key: string, change: (before: T | undefined) => T | undefined, ttlMs?: number): Promise<void>;
}
