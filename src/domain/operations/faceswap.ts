import { z } from "zod";
import { GENERATE } from "../../infrastructure/api/media-api.ts";
import { described } from "./described.ts";
import { picture } from "./fields.ts";

/** Faceswap: the face of one picture in another (section 4.10). */
export const faceswap = described({
  id: "faceswap",
  type: "faceswap",
  result: "image",
  schema: z.strictObject({
    /** The picture that gets another face. */
    target: picture(),
    /** The face that it gets. */
    source: picture(),
  }),
  endpoint: GENERATE.faceswap,
  sentAs: { target: "target_base64", source: "source_base64" },
  subscription: "pro",
  agreement: "faces",
  instead: "image-edit",
  size: () => "one face",
  read: (api, serviceId) => api.faceswapJob(serviceId),
  otherReads: [(api, serviceId) => api.job(serviceId)],
});
