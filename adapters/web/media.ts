import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Context } from "hono";
import { examined, someField } from "../../src/seam/forms/examined.ts";
import { isPicture } from "../../src/seam/forms/filling.ts";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import type { Intake } from "../../src/seam/surface/surface.ts";
import type { Origin } from "../../src/seam/origin.ts";
import type { MediaRef } from "../../src/seam/values.ts";
import { ReelayError } from "../../src/common/errors.ts";
import { keptName } from "../../src/seam/text/kept-name.ts";
import type { MediaFiles } from "../../src/infrastructure/media/files/files.ts";
import { fetchUserUrl } from "../../src/infrastructure/media/files/fetch.ts";
import { prepareImage } from "../../src/infrastructure/media/pictures/image.ts";
import { saveAs, serveFile } from "../../src/infrastructure/media/files/serve.ts";
import { pictureTypeOf, sniff, SNIFF_BYTES } from "../../src/infrastructure/media/files/sniff.ts";
import { type PageAccess, refuse } from "./access.ts";
import type { Conversation } from "./conversation.ts";
import type { Uploaded } from "./wire.ts";

/** The largest file of each kind that may be uploaded, in bytes; what may be used of them is the core's to say. */
export const MAX_UPLOAD_BYTES = { image: 64 * 2 ** 20, audio: 16 * 2 ** 20 } as const;

/** What is ever sent back under its own type; anything else is only bytes to save. */
const SHOWN = /^(image\/(jpeg|png|webp|gif|avif|heic|heif)|video\/(mp4|webm)|audio\/(mpeg|wav|mp4|aac|ogg))$/;

/** What few browsers show. */
const HEIC = /^image\/hei[cf]$/;

/** Bytes that are only saved, never shown. */
const SAVED = "application/octet-stream";

/** A MIME type without what belongs to it. */
const bareType = (declared = "") => declared.split(";")[0]?.trim().toLowerCase() ?? "";

/** The type a file is kept and sent under. A false one is harmless: the browser is told not to guess. */
export function shownType(declared: string | undefined): string {
  const type = bareType(declared).replace(/^image\/p?jpe?g$/, "image/jpeg");
  return SHOWN.test(type) ? type : SAVED;
}

/** Who gives a file, and where it is kept. */
export interface UploadParts {
  readonly host: Pick<SurfaceHost, "config" | "files" | "scratch">;
  readonly conversation: Conversation;
  readonly intake: Intake;
  readonly origin: Origin;
}

/**
 * Takes one file, the request's body as it is, looks at it, and makes it one of the conversation's. Of a HEIC photo, which
 * most browsers cannot show, a JPEG is kept. Its name stands in a header: addresses are in the logs of proxies.
 * @throws ReelayError `media_type` for what is neither a picture nor a sound, `media_too_large`, `media_empty`;
 * for what can never be sent, as `Intake.examine` tells
 */
export async function upload(c: Context, parts: UploadParts): Promise<Response> {
  const declared = bareType(c.req.header("content-type"));
  const type = shownType(declared);
  // Some systems know few types: what nothing is said of may be a picture.
  const kind = declared === "" || declared === SAVED ? "image" : type.split("/")[0];
  if (kind !== "image" && kind !== "audio") throw new ReelayError("media_type", { found: declared });
  const max = MAX_UPLOAD_BYTES[kind];
  const length = Number(c.req.header("content-length") ?? 0);
  if (length > max) throw new ReelayError("media_too_large", { bytes: length, max });
  const body = c.req.raw.body;
  if (!body) throw new ReelayError("media_empty");
  const name = nameIn(c.req.header("x-file-name"));
  if (await isKey(parts, name)) return refuse(c, 400, "key_in_name");
  return c.json(await keep(parts, { kind, type, content: Readable.from(arriving(body)), max, name }), 201);
}

/** @throws ReelayError `media_unreadable` where it breaks off: its sender has gone */
async function* arriving(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new ReelayError("media_unreadable", {}, { cause });
  }
}

/** A file's name, percent-encoded as it came; a file can do without one that cannot be read. */
function nameIn(encoded: string | undefined): string | undefined {
  try {
    return decodeURIComponent(encoded ?? "");
  } catch {
    return undefined;
  }
}

/** Whether a file's name holds a key, which would stand on the page: it is looked at as words are. */
async function isKey({ intake, origin }: UploadParts, name = ""): Promise<boolean> {
  return (await intake.keys.findInName(origin, name, "guess")) !== undefined;
}

/** How long a picture may take that is fetched from its address, in milliseconds. */
const FETCH_MS = 60_000;

/**
 * Takes the picture at an address, as if it had been uploaded.
 * @throws ReelayError as `upload`, and as `fetchUserUrl` for an address that leads nowhere or where it must not
 */
export async function uploadFrom(c: Context, address: string, parts: UploadParts): Promise<Response> {
  const name = new URL(address).pathname.split("/").at(-1);
  if (await isKey(parts, name)) return refuse(c, 400, "key_in_name");
  const { privateHosts } = parts.host.config;
  const max = MAX_UPLOAD_BYTES.image;
  const options = { privateHosts, maxBytes: max, timeoutMs: FETCH_MS, signal: c.req.raw.signal };
  const { stream, type: found } = await fetchUserUrl(address, options);
  const type = shownType(found);
  if (!type.startsWith("image/")) {
    stream.destroy();
    throw new ReelayError("media_type", { found });
  }
  return c.json(await keep(parts, { kind: "image", type, content: stream, max, name }), 201);
}

/** A file that comes. */
interface Incoming {
  readonly kind: "image" | "audio";
  readonly type: string;
  readonly content: Readable;
  /** The most that is taken of it, in bytes. */
  readonly max: number;
  readonly name: string | undefined;
}

async function keep(parts: UploadParts, { kind, type, content, max, name }: Incoming): Promise<Uploaded> {
  const { host, conversation } = parts;
  const given = await host.files.put(content, max, (id) => conversation.hold(id));
  const media = { surface: "web", ...given, ...(name && { name: keptName(name) }) } as const;
  try {
    await look(parts, kind, media);
    const { file, type: kept } = await shownFile(
      host,
      media,
      type === SAVED ? await seenType(host, media) : type,
    );
    await conversation.addMedia(file.id, kept, file.bytes);
    return { media: file };
  } finally {
    await conversation.discard(given.id);
  }
}

function look({ intake, origin }: UploadParts, kind: "image" | "audio", file: MediaRef): Promise<void> {
  const field = someField(intake, kind === "image" ? isPicture : ({ control }) => control === "sounds");
  return examined(intake, origin, field, file);
}

/** A file that is kept, with its size. */
type KeptFile = MediaRef & { readonly bytes: number };

/** The type of a picture by what is in it. @throws ReelayError `media_type` for what is none */
async function seenType({ files }: UploadParts["host"], { id }: KeptFile): Promise<string> {
  const head = await buffer(await files.open(id, { start: 0, end: SNIFF_BYTES - 1 }));
  const found = sniff(head) ?? "?";
  const type = pictureTypeOf(found);
  if (type === undefined) throw new ReelayError("media_type", { found });
  return type;
}

/** A file as every browser shows it. */
async function shownFile(
  { scratch, files }: UploadParts["host"],
  file: KeptFile,
  type: string,
): Promise<{ file: KeptFile; type: string }> {
  if (!HEIC.test(type)) return { file, type };
  const photo = await prepareImage(() => files.open(file.id), { dir: scratch });
  try {
    return { file: { ...file, ...(await files.put(photo.open(), photo.bytes)) }, type: photo.type };
  } finally {
    await photo.dispose();
  }
}

/**
 * Sends a file of the conversation, whole or the part that a seeking player asks for. What is not shown is saved, whoever
 * asks for it, and the browser keeps no copy of its own.
 * @throws ReelayError `media_gone` for every other file
 */
export async function download(
  c: Context,
  id: string,
  files: MediaFiles,
  conversation: Conversation,
  { hasVisitors }: Pick<PageAccess, "hasVisitors">,
): Promise<Response> {
  const entry = await conversation.media(id);
  if (!entry) throw new ReelayError("media_gone");
  const saved = entry.type === SAVED;
  // The digest names the content: it never changes under this address. Who comes next in the same browser asks here first.
  const kept = hasVisitors ? "private, no-cache" : "private, max-age=31536000, immutable";
  const name = c.req.query("save") ?? (saved ? id : undefined);
  return serveFile(c, files, id, {
    "Content-Type": entry.type,
    "Cache-Control": saved ? "no-store" : kept,
    ...(name && { "Content-Disposition": saveAs(name) }),
  });
}
