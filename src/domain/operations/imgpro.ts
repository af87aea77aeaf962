import { z } from "zod";
import { IMGPRO_BOUNDS, IMGPRO_PRICE } from "../../common/contract.ts";
import { GENERATE, type MediaApi, type ServiceJob } from "../../infrastructure/api/media-api.ts";
import { described } from "./described.ts";
import { chosen, pictures, words } from "./fields.ts";

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
  type: "imgpro",
  result: "image",
  subscription: "pro",
  instead: "image-edit",
  size: ({ images, size }: { readonly images: readonly unknown[]; readonly size: string }) =>
    `${images.length} pictures, ${size}`,
  read: readImgpro,
  otherReads: [(api: MediaApi, serviceId: string) => api.job(serviceId)],
} as const;

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
export const imgproEdit = described({
  ...common,
  id: "imgpro-edit",
  schema: editSchema,
  endpoint: GENERATE.imgproEdit,
  sentAs: { template: "template_id" },
  price: () => IMGPRO_PRICE.i2i,
});

/** Image pro reference-to-image. */
export const imgproReference = described({
  ...common,
  id: "imgpro-reference",
  schema: z.strictObject({
    images: given(),
    prompt: words().meta({ called: "picture_prompt" }),
    size: z.enum(SIZES_2K).default("2048x2048"),
  }),
  endpoint: GENERATE.imgproReference,
  price: () => IMGPRO_PRICE.ref2i,
});
