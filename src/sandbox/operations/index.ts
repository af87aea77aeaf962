import type { Job } from "../records/records.ts";
import { resultName } from "../render/task.ts";
import { faceswap } from "./faceswap.ts";
import { imageEdit } from "./image-edit.ts";
import { image } from "./image.ts";
import { imgproEdit, imgproReference } from "./imgpro.ts";
import { inpaint } from "./inpaint.ts";
import type { Operation } from "./operation.ts";
import { vendorH3 } from "./vendor-h3.ts";
import { vid3 } from "./vid3.ts";
import { videoAudio } from "./video-audio.ts";
import { video } from "./video.ts";

/** Everything that the service can make. */
export const OPERATIONS: readonly Operation[] = [
  video,
  videoAudio,
  vendorH3,
  vid3,
  image,
  imageEdit,
  inpaint,
  imgproEdit,
  imgproReference,
  faceswap,
];

/** The operation that made a job. */
export function operationOf(job: Job): Operation {
  const operation = OPERATIONS.find(({ name }) => name === job.operation);
  if (!operation) throw new Error(`no operation ${job.operation}`);
  return operation;
}

/** The name of a job's result in its folder. */
export function resultFile(job: Job): string {
  return resultName(operationOf(job).format(job.request));
}
