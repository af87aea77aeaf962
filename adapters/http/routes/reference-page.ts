import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";
import { ReelayError } from "../../../src/common/errors.ts";
import { isBuilt, PAGES_FOLDER } from "../../../src/seam/version.ts";

const FOLDER = join(PAGES_FOLDER, "reference");

/**
 * The page runs its own script, reads the document from here, and asks nobody else. Redoc's styles are made as they are
 * needed (styled-components), without anything by which they could be known before; its pictures are in its script.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page of the reference. @throws ReelayError `page_unbuilt` */
export async function referencePage(c: Context): Promise<Response> {
  if (!isBuilt("reference")) throw new ReelayError("page_unbuilt");
  c.header("Content-Security-Policy", POLICY);
  return c.html(await readFile(join(FOLDER, "index.html"), "utf8"));
}

/** What the page consists of: it has a digest in its name, and stays as it is. */
export function referenceParts(): MiddlewareHandler {
  return serveStatic({
    root: FOLDER,
    precompressed: true,
    rewriteRequestPath: (path) => path.replace(/^\/v1/, ""),
    onFound: (_path, c) => c.header("Cache-Control", "public, max-age=31536000, immutable"),
  });
}
