import { z } from "zod";
import { picture } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { imageOf } from "./order.ts";
import { byType } from "./recognition.ts";

const schema = z.strictObject({
  /** The picture that gets another face. */
  target: picture(),
  /** The face that it gets. */
  source: picture(),
});

/** Faceswap: the face of one picture in another (section 4.10). */
export const faceswap: Operation = {
  ...byType("faceswap"),
  id: "faceswap",
  label: "operation.faceswap",
  description: "operation.faceswap.description",
  result: "image",
  schema,
  group: "faceswap",
  subscription: "pro",
  agreement: "faces",
  instead: "image-edit",

  forbidden: () => "pro_required",

  // The contract gives no price for this endpoint.
  price: () => null,

  size: () => "one face",

  submit: (api, order) =>
    api.generateFaceswap({
      target_base64: imageOf(order, "target"),
      source_base64: imageOf(order, "source"),
    }),

  read: (api, serviceId) => api.faceswapJob(serviceId),
  otherReads: [(api, serviceId) => api.job(serviceId)],

  remove: (api, serviceId) => api.deleteFaceswapJob(serviceId),
};
