import type { HonoRequest } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { Refusal } from "./refusal.ts";

/** The largest body that is read, in bytes; the contract shows none. */
const MAX_BODY_BYTES = 80 * 1024 * 1024;

/** Refuses larger bodies with 400: the table of errors has no 413. */
export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new Refusal(400, `The body is too large: at most ${MAX_BODY_BYTES / 1024 / 1024} MiB.`);
  },
});

/** How the parts of a multipart body become the fields of a JSON body. */
export interface Multipart {
  /** Parts that hold files. Each becomes a data URI in its field; a text in such a part is taken as it is. */
  readonly files: readonly {
    /** The field that they fill. */
    readonly field: string;
    /** The parts' names. */
    readonly parts: RegExp;
    /** Whether the field is a list, in the order of the parts; else the last part counts. */
    readonly list: boolean;
  }[];
  /** Fields that are numbers, booleans or lists: their text is read as JSON. */
  readonly json: readonly string[];
}

/**
 * Reads a request's body: JSON, or multipart where that is taken.
 * @param multipart how multipart is read; without it, it is refused
 * @throws Refusal 400 when the body is of another type or cannot be read
 */
export async function readBody(request: HonoRequest, multipart?: Multipart): Promise<unknown> {
  const type = request.header("content-type") ?? "";
  if (/^application\/json\b/i.test(type)) return readJson(request);
  if (!multipart) throw new Refusal(400, "Content-Type must be application/json.");
  if (!/^multipart\/form-data\b/i.test(type))
    throw new Refusal(400, "Content-Type must be application/json or multipart/form-data.");
  const form = await request.formData().catch(() => {
    throw new Refusal(400, "The body is not valid multipart/form-data.");
  });
  return bodyOf(form, multipart);
}

/**
 * Reads a request's body.
 * @throws Refusal 400 when it is not JSON
 */
export async function readJson(request: { json(): Promise<unknown> }): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw new Refusal(400, "The body is not valid JSON.");
  }
}

/**
 * Checks a request's fields.
 * @throws Refusal 400 naming the first field that is wrong, and its bound
 */
export function parseFields<T>(fields: z.ZodType<T>, body: unknown): T {
  const parsed = fields.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === "unrecognized_keys") throw new Refusal(400, `${issue.keys[0]}: unknown field`);
  if (!issue || issue.path.length === 0) throw new Refusal(400, "The body must be a JSON object");
  throw new Refusal(400, `${issue.path.join(".")}: ${issue.message}`);
}

async function bodyOf(form: FormData, { files, json }: Multipart): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const [name, part] of form) {
    const target = files.find(({ parts }) => parts.test(name));
    if (target) {
      const file = typeof part === "string" ? part : await dataUri(part);
      const before = body[target.field];
      body[target.field] = target.list ? [...(Array.isArray(before) ? before : []), file] : file;
    } else if (typeof part !== "string") throw new Refusal(400, `${name}: unknown file`);
    else body[name] = json.includes(name) ? jsonOr(part) : part;
  }
  return body;
}

async function dataUri(file: File): Promise<string> {
  const type = file.type || "application/octet-stream";
  return `data:${type};base64,${Buffer.from(await file.arrayBuffer()).toString("base64")}`;
}

/** The value that a text says; the text itself where it says none, so that its field is refused by name. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
