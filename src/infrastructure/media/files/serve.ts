import { Readable } from "node:stream";
import type { Context } from "hono";
import type { MediaFiles } from "./files.ts";

/**
 * Answers with a kept file, whole or the part that a seeking player asks for.
 * @param headers what else is said of it, such as its type; nothing of that is said where it is gone
 * @throws ReelayError `media_gone`
 */
export async function serveFile(
  c: Context,
  files: Pick<MediaFiles, "open" | "stat">,
  id: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { bytes } = await files.stat(id);
  // No file says which version it is: a part of a certain one is a part of none (RFC 9110, section 13.1.5).
  const wantsVersion = c.req.header("if-range") !== undefined;
  const range = wantsVersion ? undefined : parseRange(c.req.header("range"), bytes);
  c.header("Accept-Ranges", "bytes");
  if (range === "unsatisfiable") {
    c.header("Content-Range", `bytes */${bytes}`);
    return c.body(null, 416);
  }
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  c.header("Content-Length", String(end - start + 1));
  if (range) c.header("Content-Range", `bytes ${start}-${end}/${bytes}`);
  const status = range ? 206 : 200;
  if (c.req.method === "HEAD") return c.body(null, status);
  const stream = await files.open(id, range);
  return c.body(Readable.toWeb(stream) as ReadableStream<Uint8Array>, status);
}

/** How a browser is told to save a file under a name, whatever is in the name (RFC 6266, RFC 8187). */
export function saveAs(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}

/**
 * The part of a file that a Range header asks for; undefined: all of it. Several parts at once are answered
 * with all of it, as RFC 9110 (section 14.2) allows.
 */
export function parseRange(
  header: string | undefined,
  bytes: number,
): { start: number; end: number } | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (!first && !last) return undefined;
  const start = first ? Number(first) : Math.max(0, bytes - Number(last));
  const end = first && last ? Math.min(Number(last), bytes - 1) : bytes - 1;
  return start > end ? "unsatisfiable" : { start, end };
}
