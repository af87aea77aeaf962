import { type Context, Hono } from "hono";
import type { Memory, SharedMemory } from "../../../common/memory.ts";
import { ReelayError } from "../../../common/errors.ts";
import { type MessageKey, nearestLocale, translator } from "../../../common/i18n.ts";
import type { MediaFiles } from "./files.ts";
import { saveAs, serveFile } from "./serve.ts";
import { makeSigner } from "./signed.ts";
import { currentTime } from "../../../common/time.ts";

/** What a link gives away. */
interface Shared {
  /** The file's id. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Links to kept files that work for a while, for whoever has them: for results that a platform does not take. */
export interface Links {
  /**
   * The path of a link, below the public address. The file is handed over: it is removed when its last link has
   * expired.
   * @param ttlMs how long it works, in milliseconds
   */
  make(file: Omit<Shared, "until">, ttlMs: number): Promise<string>;
  /**
   * Ends every link to the file that one points to, and removes it; nothing, where it is gone already.
   * @param address a link, with or without what stands before its path
   */
  revoke(address: string): Promise<void>;
  /** Removes the files whose links have all expired. Making a link does so, too. */
  sweep(): Promise<void>;
  /** To be mounted where {@link Links.make} points. */
  readonly routes: Hono;
}

/** Where links are mounted. */
export const LINKS_PATH = "/files";

/** Until when a file is shared. */
const SHARED = "shared:";

/** Whether a link to a file still works. */
export async function isShared(memory: Memory, file: string): Promise<boolean> {
  return ((await memory.get<number>(SHARED + file)) ?? 0) > currentTime();
}

/** Every file that a link still leads to. */
export async function sharedFiles(memory: Memory): Promise<readonly string[]> {
  const entries = await memory.entries<number>(SHARED);
  return entries.flatMap(([entry, until]) => (until > currentTime() ? [entry.slice(SHARED.length)] : []));
}

/** Makes links over files. */
export function openLinks(files: MediaFiles, memory: SharedMemory): Links {
  const signer = makeSigner(memory);

  async function sweep(): Promise<void> {
    for (const [entry, until] of await memory.entries<number>()) {
      if (!entry.startsWith(SHARED) || until > currentTime()) continue;
      await files.remove(entry.slice(SHARED.length));
      await memory.delete(entry);
    }
  }

  /** What a link gives away; undefined for one that was not made here. */
  async function read(shared: string, signature: string): Promise<Shared | undefined> {
    // It was signed as such.
    return (await signer.verify(`${shared}.${signature}`)) as unknown as Shared | undefined;
  }

  const routes = new Hono();
  routes.get("/:shared/:signature", async (c) => {
    const { shared, signature } = c.req.param();
    const given = await read(shared, signature);
    if (given === undefined) return refused(c, "unknown", 404);
    const { id, name, type, until } = given;
    if (until <= currentTime()) return refused(c, "expired", 410);
    const headers = {
      "Content-Type": type,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      // Saved, never shown: it would stand on the page's own origin.
      "Content-Disposition": saveAs(name),
    };
    return serveFile(c, files, id, headers).catch((error: unknown) => {
      if (error instanceof ReelayError && error.code === "media_gone") return refused(c, "unknown", 404);
      throw error;
    });
  });

  return {
    routes,
    sweep,
    async make(file, ttlMs) {
      const until = currentTime() + ttlMs;
      const entry = SHARED + file.id;
      await memory.set(entry, Math.max(until, (await memory.get<number>(entry)) ?? 0));
      await sweep();
      const { id, name, type } = file;
      return `${LINKS_PATH}/${(await signer.sign({ id, name, type, until })).replace(".", "/")}`;
    },

    async revoke(address) {
      const [shared = "", signature = ""] = address.split("/").slice(-2);
      const given = await read(shared, signature);
      if (given === undefined) return;
      // Should this end in between, the next sweep finds what is to go.
      await memory.set(SHARED + given.id, 0);
      await files.remove(given.id);
      await memory.delete(SHARED + given.id);
    },
  };
}

/** Whoever follows a link may be anybody: the browser says which language they read. */
function refused(c: Context, why: "unknown" | "expired", status: 404 | 410): Response {
  const key: MessageKey = `link.${why}`;
  c.header("Cache-Control", "no-store");
  return c.text(translator(nearestLocale(c.req.header("accept-language")))(key), status);
}
