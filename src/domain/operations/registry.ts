import { unknownOperation } from "../../seam/unknown-operation.ts";
import { faceswap } from "./faceswap.ts";
import { h3Image, h3Reference, h3Text } from "./h3.ts";
import { image } from "./image.ts";
import { imageEdit } from "./image-edit.ts";
import { imgproEdit, imgproReference } from "./imgpro.ts";
import { inpaint } from "./inpaint.ts";
import type { Operation } from "./operation.ts";
import { vid3 } from "./vid3.ts";
import { video } from "./video.ts";
import { videoAudio } from "./video-audio.ts";

/** Everything that can be made, in the order in which it is offered. */
export const OPERATIONS: readonly Operation[] = [
  video,
  videoAudio,
  h3Image,
  h3Text,
  h3Reference,
  vid3,
  imageEdit,
  inpaint,
  image,
  imgproEdit,
  imgproReference,
  faceswap,
];

/** @throws ReelayError `unknown_operation` */
export function operationOf(id: string): Operation {
  const operation = OPERATIONS.find((candidate) => candidate.id === id);
  if (operation) return operation;
  throw unknownOperation(
    id,
    OPERATIONS.map((known) => known.id),
  );
}
