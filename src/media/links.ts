import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import type { Memory } from "../chat/surface.ts";
import { ReelayError } from "../errors.ts";
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
  /** The path of a link, below the public address. */
  make(file: Omit<Shared, "until">, ttlMs: number): Promise<string>;
  /** To be mounted where {@link Links.make} points. */
  readonly routes: Hono;
}

/** Where links are mounted. */
export const LINKS_PATH = "/files";

/** Makes links over files; the key that signs them is made once and kept. */
export function openLinks(files: MediaFiles, memory: Memory): Links {
  const key = async () => {
    const known = await memory.get<string>("key");
    if (known !== undefined) return known;
    const fresh = randomBytes(32).toString("hex");
    await memory.set("key", fresh);
    return fresh;
  };
  const sign = async (text: string) =>
    createHmac("sha256", await key())
      .update(text)
      .digest("base64url");

  const routes = new Hono();
  routes.get("/:shared/:signature", async (c) => {
    const { shared, signature } = c.req.param();
    const wanted = Buffer.from(await sign(shared));
    const given = Buffer.from(signature);
    if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return c.notFound();
    const { id, name, type, until } = JSON.parse(Buffer.from(shared, "base64url").toString()) as Shared;
    if (until < Date.now()) return c.text("This link has expired.", 410);
    c.header("Content-Type", type);
    c.header("Cache-Control", "private, no-store");
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Referrer-Policy", "no-referrer");
    c.header("Content-Disposition", saveAs(name));
    return serveFile(c, files, id).catch((error: unknown) => {
      if (error instanceof ReelayError && error.code === "media_gone") return c.notFound();
      throw error;
    });
  });

  return {
    routes,
    async make(file, ttlMs) {
      const shared = Buffer.from(JSON.stringify({ ...file, until: Date.now() + ttlMs } satisfies Shared));
      const text = shared.toString("base64url");
      return `${LINKS_PATH}/${text}/${await sign(text)}`;
    },
  };
}
