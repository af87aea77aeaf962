import { h3Request, h3TemplatesRequest } from "./h3.ts";
import {
  encodeMaskRequest,
  faceswapRequest,
  imageEditRequest,
  imageRequest,
  inpaintRequest,
} from "./images.ts";
import { imgproEditRequest, imgproReferenceRequest } from "./imgpro.ts";
import { jobListRequest } from "./jobs.ts";
import { registerH3TemplateRequest, registerTemplateRequest } from "./templates.ts";
import { vid3Request } from "./vid3.ts";
import { videoAudioRequest, videoRequest } from "./video.ts";

/** What every method that takes a request takes, by the method's name; fields are the service's own. */
export const REQUESTS = {
  generateVideo: videoRequest,
  generateVideoAudio: videoAudioRequest,
  generateH3: h3Request,
  generateVid3: vid3Request,
  generateImage: imageRequest,
  generateImageEdit: imageEditRequest,
  generateInpaint: inpaintRequest,
  generateImgproEdit: imgproEditRequest,
  generateImgproReference: imgproReferenceRequest,
  generateFaceswap: faceswapRequest,
  encodeMask: encodeMaskRequest,
  registerTemplate: registerTemplateRequest,
  registerH3Template: registerH3TemplateRequest,
  h3Templates: h3TemplatesRequest,
  jobs: jobListRequest,
} as const;

export type { FileValue } from "./fields.ts";
export type { H3Request, H3TemplatesRequest } from "./h3.ts";
export type {
  EncodeMaskRequest,
  FaceswapRequest,
  ImageEditRequest,
  ImageRequest,
  InpaintRequest,
} from "./images.ts";
export type { ImgproEditRequest, ImgproReferenceRequest } from "./imgpro.ts";
export type { JobListRequest } from "./jobs.ts";
export type { RegisterH3TemplateRequest, RegisterTemplateRequest } from "./templates.ts";
export type { Vid3Request } from "./vid3.ts";
export type { VideoAudioRequest, VideoRequest } from "./video.ts";
