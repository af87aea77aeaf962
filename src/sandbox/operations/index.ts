import type { Job } from "../records/records.ts";
import { resultName } from "../render/task.ts";
import { fromDescription, type DescribedOperation } from "./described.ts";
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

/** What the contract describes. */
const EMULATED: readonly Operation[] = [
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

/** Everything that the service can make. */
export class Operations {
  readonly all: readonly Operation[];

  /** @param described what else it can make; what is emulated here stays as it is */
  constructor(described: readonly DescribedOperation[]) {
    const known = new Set(EMULATED.flatMap(({ paths }) => paths));
    const others = described.filter(({ endpoint }) => !known.has(endpoint.path));
    this.all = [...EMULATED, ...others.map((one) => fromDescription(one, EMULATED))];
  }

  /** The operation that made a job. */
  of(job: Job): Operation {
    const operation = this.all.find(({ name }) => name === job.operation);
    if (!operation) throw new Error(`no operation ${job.operation}`);
    return operation;
  }

  /** The name of a job's result in its folder. */
  resultFile(job: Job): string {
    return resultName(this.of(job).format(job.request));
  }
}
