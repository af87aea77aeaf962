import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type Context, Hono } from "hono";
import type { Memory } from "../chat/surface.ts";
import { ReelayError } from "../errors.ts";
import { type MessageKey, nearestLocale, translator } from "../i18n.ts";
import type { MediaFiles } from "./files.ts";
import { saveAs, serveFile } from "./serve.ts";

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
  /** Removes the files whose links have all expired. Making a link does so, too. */
  sweep(): Promise<void>;
  /** To be mounted where {@link Links.make} points. */
  readonly routes: Hono;
}

/** Where links are mounted. */
export const LINKS_PATH = "/files";

const KEY = "key";
/** Until when a file is shared. */
const SHARED = "shared:";

/** Makes links over files; the key that signs them is made once and kept. */
export function openLinks(files: MediaFiles, memory: Memory): Links {
  let key: Promise<string> | undefined;
  const sign = async (text: string) => {
    key ??= keyOf(memory);
    return createHmac("sha256", await key)
      .update(text)
      .digest("base64url");
  };

  async function sweep(): Promise<void> {
    for (const [entry, until] of await memory.entries<number>()) {
      if (!entry.startsWith(SHARED) || until > Date.now()) continue;
      await files.remove(entry.slice(SHARED.length));
      await memory.delete(entry);
    }
  }

  const routes = new Hono();
  routes.get("/:shared/:signature", async (c) => {
    const { shared, signature } = c.req.param();
    const wanted = Buffer.from(await sign(shared));
    const given = Buffer.from(signature);
    if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return refused(c, "unknown", 404);
    const { id, name, type, until } = JSON.parse(Buffer.from(shared, "base64url").toString()) as Shared;
    if (until <= Date.now()) return refused(c, "expired", 410);
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
      const until = Date.now() + ttlMs;
      const entry = SHARED + file.id;
      await memory.set(entry, Math.max(until, (await memory.get<number>(entry)) ?? 0));
      await sweep();
      const shared = Buffer.from(JSON.stringify({ ...file, until } satisfies Shared));
      const text = shared.toString("base64url");
      return `${LINKS_PATH}/${text}/${await sign(text)}`;
    },
  };
}

async function keyOf(memory: Memory): Promise<string> {
  const known = await memory.get<string>(KEY);
  if (known !== undefined) return known;
  const fresh = randomBytes(32).toString("hex");
  await memory.set(KEY, fresh);
  return fresh;
}

/** Whoever follows a link may be anybody: the browser says which language they read. */
function refused(c: Context, why: "unknown" | "expired", status: 404 | 410): Response {
  const key: MessageKey = `link.${why}`;
  c.header("Cache-Control", "no-store");
  return c.text(translator(nearestLocale(c.req.header("accept-language")))(key), status);
}
