import { z } from "zod";
import type { Shown } from "./table.ts";

const url = z.string().regex(/^(https?:\/\/|\/)\S+$/);
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const dataUri = /^data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/;

/** What the kinds of values in the table are. */
const KINDS: Readonly<Record<string, z.ZodType>> = {
  id: z.uuid(),
  string: z.string(),
  int: z.int(),
  number: z.number(),
  bool: z.boolean(),
  date: z.iso.date(),
  // Without a zone (section 2.1).
  timestamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/),
  url,
  urls: z.array(url).min(1),
  // The contract says where it is a data URI, not that it is none elsewhere.
  base64: z.string().refine((text) => base64.test(text) || dataUri.test(text)),
  "data URI": z.string().regex(dataUri),
  strings: z.array(z.string()),
  object: z.record(z.string(), z.unknown()),
  objects: z.array(z.record(z.string(), z.unknown())),
};

function kindOf(kind: string): z.ZodType {
  if (kind.startsWith("'")) return z.literal(kind.slice(1, -1));
  const nullable = kind.endsWith(" or null");
  const known = KINDS[kind.replace(/ or null$/, "")];
  if (!known) throw new Error(`There is no kind ${kind}.`);
  return nullable ? known.nullable() : known;
}

/**
 * How an answer differs from what the table says of it: fields that are missing, of another type, or too many.
 * @param others what further fields are: `refused`, or `allowed` where the contract shows only some
 */
export function misfits(shown: Shown, answer: unknown, others: "refused" | "allowed" = "refused"): string[] {
  const fields = Object.entries(shown).map(([name, kind]) =>
    name.endsWith("?") ? [name.slice(0, -1), kindOf(kind).optional()] : [name, kindOf(kind)],
  );
  const shape: Record<string, z.ZodType> = Object.fromEntries(fields);
  const schema = others === "refused" ? z.strictObject(shape) : z.looseObject(shape);
  const { error } = schema.safeParse(answer);
  return (error?.issues ?? []).map((issue) =>
    issue.code === "unrecognized_keys"
      ? `too many: ${issue.keys.join(", ")}`
      : `${issue.path.join(".")}: ${issue.message}`,
  );
}
