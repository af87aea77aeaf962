import { z } from "zod";
import type { ServiceJob, MediaApi } from "../../infrastructure/api/media-api.ts";
import { IMGPRO_BOUNDS, IMGPRO_PRICE } from "../../common/contract.ts";
import { chosen, pictures, words } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { byType } from "./recognition.ts";

/*
 * Image pro (section 4.9): two endpoints, one kind of job. Its allowed sizes are not shown, so those offered
 * here are the usual ones of such models; a wrong one is refused by the service and costs nothing.
 */

const { images, formats } = IMGPRO_BOUNDS;

const SIZES_1K = ["1024x1024", "1536x1024", "1024x1536"] as const;
/** All that reference-to-image takes. */
const SIZES_2K = ["2048x2048", "2304x1728", "1728x2304", "2560x1440", "1440x2560"] as const;

const given = () => pictures(images.min, images.max, images.maxBytes);

/** What the two have in common. The service has no endpoint to delete one of their jobs (section 4.14). */
const common = {
  ...byType("imgpro"),
  result: "image",
  group: "image",
  subscription: "pro",
  instead: "image-edit",
  forbidden: () => "pro_required",
  read: readImgpro,
  otherReads: [(api, serviceId) => api.job(serviceId)],
  remove: null,
} satisfies Partial<Operation>;

/** Its answers are not shown: what is certain is its download path. */
async function readImgpro(api: MediaApi, serviceId: string): Promise<ServiceJob> {
  return { ...(await api.imgproJob(serviceId)), imageUrl: api.imgproImageUrl(serviceId), resultUrls: [] };
}

const editSchema = z
  .strictObject({
    images: given(),
    prompt: words().optional().meta({ unless: "template", called: "edit_prompt" }),
    template: chosen("edit-templates").optional(),
    size: z.enum([...SIZES_1K, ...SIZES_2K]).default("1024x1024"),
    output_format: z.enum(formats.choices).default(formats.default).meta({ advanced: true }),
  })
  .refine((values) => values.prompt ?? values.template, { path: ["prompt"] });

/** Image pro edit. */
export const imgproEdit: Operation = {
  ...common,
  id: "imgpro-edit",
  label: "operation.imgpro-edit",
  description: "operation.imgpro-edit.description",
  schema: editSchema,
  price: () => IMGPRO_PRICE.i2i,
  size(values) {
    const { images, size } = editSchema.parse(values);
    return `${images.length} pictures, ${size}`;
  },
  submit(api, order) {
    const { images: _images, template, ...fields } = editSchema.parse(order.values);
    return api.generateImgproEdit({
      ...fields,
      images: order.images["images"] ?? [],
      ...(template !== undefined && { template_id: template }),
    });
  },
};

const referenceSchema = z.strictObject({
  images: given(),
  prompt: words().meta({ called: "picture_prompt" }),
  size: z.enum(SIZES_2K).default("2048x2048"),
});

/** Image pro reference-to-image. */
export const imgproReference: Operation = {
  ...common,
  id: "imgpro-reference",
  label: "operation.imgpro-reference",
  description: "operation.imgpro-reference.description",
  schema: referenceSchema,
  price: () => IMGPRO_PRICE.ref2i,
  size(values) {
    const { images, size } = referenceSchema.parse(values);
    return `${images.length} pictures, ${size}`;
  },
  submit(api, order) {
    const { images: _images, ...fields } = referenceSchema.parse(order.values);
    return api.generateImgproReference({ ...fields, images: order.images["images"] ?? [] });
  },
};
