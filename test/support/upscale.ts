import { z } from "zod";
import { picture as sentPicture } from "../../src/infrastructure/api/requests/fields.ts";
import { described } from "../../src/domain/operations/described.ts";
import { picture } from "../../src/domain/operations/fields.ts";

const scale = z.literal([2, 4]);

/** Upscale: a picture made larger. Its jobs are of the type of image edits. */
export const upscale = described({
  id: "upscale",
  type: "image_edit",
  result: "image",
  schema: z.strictObject({ image: picture(), scale: scale.default(2) }),
  endpoint: {
    path: "/generate/image-upscale",
    group: "image",
    request: z.strictObject({ image_base64: sentPicture, scale: scale.optional() }),
  },
  sentAs: { image: "image_base64" },
  instead: "image-edit",
  size: ({ scale }) => `${scale} times`,
});
