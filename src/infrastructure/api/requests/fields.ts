import { z } from "zod";
import { SEED } from "../../../common/contract.ts";
import { type FileSource, isFileSource } from "../transport/file.ts";
import { breach } from "./checked.ts";

/*
 * What the fields of requests are made of. A check that knows its bounds names them in its error.
 */

/** Text that says something. */
export const words = z.string().min(1);

/** A whole number within bounds. */
export const whole = (min: number, max: number) =>
  z.int().refine((value) => value >= min && value <= max, breach("field_out_of_range", { min, max }));

/** A whole number of which the contract says only what it counts. */
export const count = whole(1, Number.MAX_SAFE_INTEGER);

/** -1 for a random one, else from 0 (section 4.3). */
export const seed = whole(SEED.random, Number.MAX_SAFE_INTEGER);

/**
 * A file as a request gives it: a source that is streamed, or text that goes out as it is: base64, a data URI, or,
 * where the service supports it, a public HTTPS URL (section 2.1).
 */
export type FileValue = FileSource | string;

interface FileBounds {
  /** In bytes. Not known of a URL. */
  readonly maxBytes?: number;
  /** MIME types; checked where the source or the data URI tells its own. */
  readonly types?: readonly string[];
  /** Whether a URL will do. */
  readonly url?: boolean;
  /** Whether the type must be known. */
  readonly typed?: boolean;
}

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const MIME_TYPE = /^[a-z]+\/[\w.+-]+$/i;
const DATA_URI = /^data:([a-z]+\/[\w.+-]+);base64,/i;

/** A file, which is never empty. */
export function file({ maxBytes = Infinity, types, url = false, typed = false }: FileBounds = {}) {
  const fits = (type: string | undefined) => !types || type === undefined || types.includes(type);
  return z
    .custom<FileValue>((value) => isFile(value, url), {
      error: `a file, base64${url ? ", a data URI or an HTTPS URL" : " or a data URI"}`,
    })
    .refine((value) => !typed || typeOf(value) !== undefined, {
      error: "a file of known type, or a data URI",
    })
    .refine((value) => fits(typeOf(value)), { error: types?.join(", ") ?? "" })
    .refine(
      (value) => (bytesOf(value) ?? 0) <= maxBytes,
      breach("field_out_of_range", { min: 1, max: maxBytes }),
    );
}

/** An input picture, under no published bound of its own. */
export const picture = file({ url: true });

/** A list of files, as many as the contract allows. */
export const files = (item: z.ZodType<FileValue, FileValue>, { min, max }: { min: number; max: number }) =>
  z
    .array(item)
    .readonly()
    .refine(({ length }) => length >= min && length <= max, breach("field_count", { min, max }));

function isFile(value: unknown, url: boolean): boolean {
  if (isFileSource(value)) return value.bytes > 0 && (value.type === undefined || MIME_TYPE.test(value.type));
  if (typeof value !== "string" || value === "") return false;
  return !SCHEME.test(value) || DATA_URI.test(value) || (url && value.startsWith("https://"));
}

/** The MIME type, where the value tells it. */
function typeOf(value: FileValue): string | undefined {
  return (typeof value === "string" ? DATA_URI.exec(value)?.[1] : value.type)?.toLowerCase();
}

/** The size of the file, where the value tells it. */
function bytesOf(value: FileValue): number | undefined {
  if (typeof value !== "string") return value.bytes;
  const head = DATA_URI.exec(value)?.[0] ?? "";
  if (head === "" && SCHEME.test(value)) return undefined;
  const padding = value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0;
  return Math.floor(((value.length - head.length) * 3) / 4) - padding;
}
