import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { Json } from "../../../src/common/json.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { maskOfHoles } from "../../../src/infrastructure/media/pictures/mask-of-holes.ts";
import type { Hold } from "../../../src/infrastructure/media/files/held-files.ts";
import { WrongFields } from "../access/problem.ts";
import type { FormParts } from "../body/read-form.ts";
import type { Misplaced } from "../body/read-json.ts";
import { objectIn, type ReadRequest, readRequest } from "../body/read-request.ts";
import { storeText } from "../body/store-text.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { misplaced } from "../jobs/input-values.ts";
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
    if (inner) fields.set(outer, { ...objectIn(fields.get(outer)), [inner]: value });
    else fields.set(outer || name, value);
  }
  return Object.fromEntries(fields);
}

/** A request of OpenAI's as the gateway takes it, and how it was understood. */
export async function readOpenAi(
  { forPartners: { held }, host, intake }: Pick<GatewayParts, "forPartners" | "host" | "intake">,
  endpoint: Endpoint,
  request: Pick<Request, "headers" | "body">,
  hold: Hold,
): Promise<{ readonly read: ReadRequest; readonly translation: Translation }> {
  const { commands, jobs } = intake();
  const translated = (fields: ReadRequest["fields"]) =>
    translate(endpoint, fields, {
      operations: operationsIn(commands),
      find: (name) => jobs.operation(name),
    });
  const misplacedAt: Misplaced = (given, path, isBare) => {
    const { operation } = translated(objectIn(given)).fields;
    const fields = typeof operation === "string" ? jobs.operation(operation).fields : [];
    // What only OpenAI has is a file.
    return fields.some(({ name }) => name === path[0]) ? misplaced(fields, path, isBare) : undefined;
  };
  const read = await readRequest(request, held, hold, undefined, openAiForm, misplacedAt);
  const translation = translated(read.fields);
  const understood = { ...read, fields: translation.fields };
  if (translation.mask === undefined) return { read: understood, translation };
  return { read: await withMask(understood, translation.mask), translation };

  /** OpenAI's masks are transparent where something is to change, the service's are white there. */
  async function withMask({ fields, files, ...how }: ReadRequest, field: string): Promise<ReadRequest> {
    const input = objectIn(fields["input"]);
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
