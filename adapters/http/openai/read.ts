import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { Json } from "../../../src/common/json.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { maskOfHoles } from "../../../src/infrastructure/media/pictures/mask-of-holes.ts";
import type { Hold } from "../../../src/infrastructure/media/files/held-files.ts";
import { WrongFields } from "../access/problem.ts";
import type { FormParts } from "../body/read-form.ts";
import { type ReadRequest, readRequest } from "../body/read-request.ts";
import { storeText } from "../body/store-text.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { operationsIn } from "../route/operations.ts";
import type { Endpoint } from "./endpoints.ts";
import { unfit } from "./refusal.ts";
import { translate, type Translation } from "./translation.ts";

/**
 * A form as the same request would be in JSON: `a[]` is a list, `a[b]` a field of an object, a name that comes several times
 * a list.
 */
function openAiForm(parts: FormParts): ReadRequest["fields"] {
  const fields = new Map<string, Json>();
  for (const [name, values] of parts) {
    const [, outer = "", inner] = /^([^[\]]+)\[(\w*)\]$/.exec(name) ?? [];
    const value: Json = values.length === 1 && inner !== "" ? (values[0] ?? "") : values;
    if (inner) fields.set(outer, { ...object(fields.get(outer)), [inner]: value });
    else fields.set(outer || name, value);
  }
  return Object.fromEntries(fields);
}

function object(value: Json | undefined): { readonly [name: string]: Json } {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  // What is neither a list nor null is an object.
  return isObject ? (value as { readonly [name: string]: Json }) : {};
}

/** A request of OpenAI's as the gateway takes it, and how it was understood. */
export async function readOpenAi(
  { forPartners: { held }, host, intake }: Pick<GatewayParts, "forPartners" | "host" | "intake">,
  endpoint: Endpoint,
  request: Pick<Request, "headers" | "body">,
  hold: Hold,
): Promise<{ readonly read: ReadRequest; readonly translation: Translation }> {
  const read = await readRequest(request, held, hold, undefined, openAiForm);
  const { commands, jobs } = intake();
  const translation = translate(endpoint, read.fields, {
    operations: operationsIn(commands),
    find: (name) => jobs.operation(name),
  });
  const translated = { ...read, fields: translation.fields };
  if (translation.mask === undefined) return { read: translated, translation };
  return { read: await withMask(translated, translation.mask), translation };

  /** OpenAI's masks are transparent where something is to change, the service's are white there. */
  async function withMask({ fields, files, ...how }: ReadRequest, field: string): Promise<ReadRequest> {
    const input = object(fields["input"]);
    const given = input[field];
    if (typeof given !== "string") throw new Error("A mask was translated that is no file.");
    try {
      const ref = files.get(given) ?? (await storeText("mask", given, held, hold));
      if (URL.canParse(ref.id)) throw new WrongFields([unfit("mask", "a file, or a data URI")]);
      const mask = await maskOfHoles(() => held.open(ref.id), host.scratch);
      const { id, bytes } = await held.put(Readable.from([mask]), mask.length, hold);
      const placeholder = files.has(given) ? given : `mask:${randomUUID()}`;
      return {
        fields: { ...fields, input: { ...input, [field]: placeholder } },
        files: new Map([...files, [placeholder, { surface: "http" as const, id, bytes }]]),
        ...how,
      };
    } catch (error) {
      if (error instanceof WrongFields || !(error instanceof ReelayError)) throw error;
      throw new WrongFields([
        { field: "mask", code: error.code, params: { ...error.params, field: "mask" } },
      ]);
    }
  }
}
