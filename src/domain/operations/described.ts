import { z } from "zod";
import type { GenerateEndpoint, MediaApi } from "../../infrastructure/api/media-api.ts";
import type { BodyFields } from "../../infrastructure/api/transport/json-body.ts";
import type { ErrorCode } from "../../common/errors.ts";
import { messageKey } from "../../common/i18n.ts";
import { isMediaList, isMediaRef, type Value } from "../../seam/values.ts";
import type { FormSchema } from "./fields.ts";
import type { Operation, Recognition } from "./operation.ts";
import type { Order } from "./order.ts";
import { byType } from "./recognition.ts";

/** All that an operation has to say of itself; everything else follows. What is given beside that goes before it. */
interface Description<Schema extends FormSchema>
  extends
    Pick<Operation, "id" | "result" | "instead" | "type">,
    Partial<Pick<Operation, "subscription" | "agreement" | "submit" | "read" | "otherReads">>,
    Partial<Pick<Recognition, "fingerprint" | "likeness" | "sizeOf">> {
  /** The fields as a person fills them. */
  readonly schema: Schema;
  /** Where it is asked for, and what the service takes there. */
  readonly endpoint: GenerateEndpoint;
  /** What the service calls fields that people know by another name; a list where each file has a field of its own. */
  readonly sentAs?: Readonly<Partial<Record<keyof z.output<Schema>, string | readonly string[]>>>;
  /** Fields of the request that are none of the form's, or not as people fill them. */
  readonly also?: (values: z.output<Schema>, order: Order) => BodyFields;
  /** The choices that price and duration depend on, as one word: the same word, the same price. */
  readonly size: (values: z.output<Schema>) => string;
  /** Left out where the contract gives no formula: then the price is learned. */
  readonly price?: (values: z.output<Schema>) => number;
  /** What a 403 means, where it is more than the missing subscription, or a premium template. */
  readonly forbidden?: (values: z.output<Schema>) => ErrorCode | undefined;
}

/** The files of one field. */
interface PreparedFiles {
  readonly images: Order["images"][string] | undefined;
  readonly sounds: Order["sounds"][string] | undefined;
}

/** How jobs of each type are deleted (section 4.14); what is missing cannot be. */
const REMOVALS: Readonly<Record<string, (api: MediaApi, serviceId: string) => Promise<void>>> = {
  video: (api, serviceId) => api.deleteVideoJob(serviceId),
  video_audio: (api, serviceId) => api.deleteVideoAudioJob(serviceId),
  vendor_h3: (api, serviceId) => api.deleteH3Job(serviceId),
  vid3: (api, serviceId) => api.deleteVid3Job(serviceId),
  image: (api, serviceId) => api.deleteImageJob(serviceId),
  image_edit: (api, serviceId) => api.deleteImageEditJob(serviceId),
  faceswap: (api, serviceId) => api.deleteFaceswapJob(serviceId),
};

/**
 * An operation, as it follows from its description.
 * @throws Error where the form has a field that the request has not: each job that fills it in would be refused
 */
export function described<Schema extends FormSchema>(description: Description<Schema>): Operation {
  refuseUnsendable(description);
  const { sentAs: _sentAs, also: _also, size, price, forbidden, ...given } = description;
  const { id, type, schema, endpoint, subscription } = given;
  return {
    ...byType(type),
    label: messageKey(`operation.${id}`),
    description: messageKey(`operation.${id}.description`),
    group: endpoint.group,
    submit: (api, order) => api.submit(endpoint, requestOf(description, order)),
    read: (api, serviceId) => api.job(serviceId),
    remove: REMOVALS[type] ?? null,
    ...given,
    size: (values) => size(schema.parse(values)),
    price: (values) => price?.(schema.parse(values)) ?? null,
    forbidden(values) {
      if (forbidden) return forbidden(schema.parse(values));
      if (subscription) return "pro_required";
      return values["template"] === undefined ? undefined : "premium_template";
    },
  };
}

function refuseUnsendable<Schema extends FormSchema>({
  id,
  schema,
  endpoint: { path, request },
  sentAs,
  submit,
}: Pick<Description<Schema>, "id" | "schema" | "endpoint" | "sentAs" | "submit">): void {
  if (submit || !(request instanceof z.ZodObject)) return;
  const names: Names = sentAs ?? {};
  const lost = Object.keys(schema.shape)
    .flatMap((field) => names[field] ?? field)
    .find((name) => !(name in request.shape));
  if (lost !== undefined)
    throw new Error(`${id}: “${lost}” is a field of the form, and none of POST ${path}`);
}

/** What the service calls fields; see `Description.sentAs`. */
type Names = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What is sent: the form's fields under the service's names, prepared files in place of those that people gave. */
function requestOf<Schema extends FormSchema>(
  { schema, sentAs, also }: Pick<Description<Schema>, "schema" | "sentAs" | "also">,
  order: Order,
): BodyFields {
  const values = schema.parse(order.values);
  const names: Names = sentAs ?? {};
  const fields = Object.entries<Value | undefined>(values).flatMap(([field, value]) =>
    sent(names[field] ?? field, value, { images: order.images[field], sounds: order.sounds[field] }),
  );
  return { ...Object.fromEntries(fields), ...also?.(values, order) };
}

/** A value under its name, or the files that were prepared for it. */
function sent(
  name: string | readonly string[],
  value: Value | undefined,
  { images, sounds }: PreparedFiles,
): readonly (readonly [string, BodyFields[string]])[] {
  const files = images ?? sounds ?? [];
  if (typeof name !== "string") return name.map((one, index) => [one, files[index]] as const);
  if (isMediaList(value)) return [[name, files]];
  if (!isMediaRef(value)) return [[name, value]];
  const [file] = files;
  if (!file) throw new Error(`The file for ${name} was not prepared.`);
  return [[name, file]];
}
