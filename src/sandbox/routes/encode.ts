import { Hono } from "hono";
import { z } from "zod";
import { limitBody, parseFields, readBody, type Multipart } from "../records/body.ts";
import { required } from "../records/fields.ts";
import { guard } from "../service/guard.ts";
import { describePicture } from "../records/pictures.ts";
import type { Env, Service } from "../service/service.ts";

const picture = required("a picture as base64, a data URI or a file");

/** `POST /encode/image-mask` (section 4.11). */
const fields = z.strictObject({ image_base64: picture, mask_base64: picture });

const multipart: Multipart = {
  files: [
    { field: "image_base64", parts: /^image$/, list: false },
    { field: "mask_base64", parts: /^mask$/, list: false },
  ],
  json: [],
};

/** Encodes a picture and its mask for inpainting: both come back as they are. Costs nothing. */
export function encodeRoutes(service: Service): Hono<Env> {
  return new Hono<Env>().post("/encode/image-mask", guard(service, "image"), limitBody, async (c) => {
    const { image_base64, mask_base64 } = parseFields(fields, await readBody(c.req, multipart));
    const image = await describePicture("image_base64", image_base64);
    const mask = await describePicture("mask_base64", mask_base64);
    return c.json({
      success: true,
      image_base64: image.base64,
      mask_base64: mask.base64,
      image_width: image.width,
      image_height: image.height,
      mask_width: mask.width,
      mask_height: mask.height,
      image_mime: image.mime,
      mask_mime: mask.mime,
    });
  });
}
