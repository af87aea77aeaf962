import type { z } from "zod";
import type { RateGroup } from "../../../common/contract.ts";
import { MAX_ANSWER_BYTES } from "../transport/answer.ts";
import type { Body } from "../transport/body.ts";
import { ServiceFailure, Unsure } from "../transport/errors.ts";
import { type BodyFields, jsonBody } from "../transport/json-body.ts";
import { multipartBody, type Part } from "../transport/multipart-body.ts";
import { readSubmitted, type Submitted } from "../records/jobs.ts";
import { type EncodedMask, readEncodedMask } from "../records/mask.ts";
import { checked } from "../requests/checked.ts";
import { type H3Request, h3Request } from "../requests/h3.ts";
import {
  type EncodeMaskRequest,
  encodeMaskRequest,
  type FaceswapRequest,
  faceswapRequest,
  type ImageEditRequest,
  imageEditRequest,
  type ImageRequest,
  imageRequest,
  type InpaintRequest,
  inpaintRequest,
} from "../requests/images.ts";
import {
  type ImgproEditRequest,
  imgproEditRequest,
  type ImgproReferenceRequest,
  imgproReferenceRequest,
} from "../requests/imgpro.ts";
import { imgproParts, maskParts, vid3Parts } from "../requests/parts.ts";
import { type Vid3Request, vid3Request } from "../requests/vid3.ts";
import {
  type VideoAudioRequest,
  videoAudioRequest,
  type VideoRequest,
  videoRequest,
} from "../requests/video.ts";
import type { CallOptions } from "../transport/service.ts";
import { AccountEndpoints } from "./account.ts";

/** What a call may be given whose files the service takes in either form. */
export interface UploadOptions extends CallOptions {
  /** How files travel; `multipart` saves the third that base64 adds, and takes sources only. Default `json`. */
  readonly as?: "json" | "multipart";
}

/** An endpoint that makes something (section 4): where it is, and what it takes. */
export interface GenerateEndpoint<Request extends BodyFields = BodyFields> {
  /** Its first path, below the base address. */
  readonly path: string;
  /** The published rate that it falls under (section 8.1). */
  readonly group: RateGroup;
  readonly request: z.ZodType<Request>;
}

/** The endpoints of sections 4.3 to 4.12 that cost tokens. */
export const GENERATE = {
  video: { path: "/generate/video", group: "video", request: videoRequest },
  videoAudio: { path: "/generate/video-audio", group: "videoAudio", request: videoAudioRequest },
  h3: { path: "/generate/vendor-h3", group: "videoAudio", request: h3Request },
  vid3: { path: "/generate/vid3-ref2v", group: "vid3", request: vid3Request },
  image: { path: "/generate/image", group: "image", request: imageRequest },
  imageEdit: { path: "/generate/image-edit", group: "image", request: imageEditRequest },
  inpaint: { path: "/generate/image-inpaint", group: "image", request: inpaintRequest },
  imgproEdit: { path: "/generate/imgpro-i2i", group: "image", request: imgproEditRequest },
  imgproReference: { path: "/generate/imgpro-ref2i", group: "image", request: imgproReferenceRequest },
  faceswap: { path: "/generate/faceswap", group: "faceswap", request: faceswapRequest },
} as const;

/**
 * What makes something (sections 4.3 to 4.12). Each method but `encodeMask` costs tokens, is sent once and never
 * repeated, and fails with {@link Unsure} when its answer was lost: then the job may exist and be charged.
 */
export abstract class GenerateEndpoints extends AccountEndpoints {
  /** Image-to-video (section 4.3): 3 to 8 seconds. Takes a prompt, a template, or both. */
  generateVideo(request: VideoRequest, options?: CallOptions): Promise<Submitted> {
    return this.submit(GENERATE.video, request, options);
  }

  /** Text- or image-to-video with sound (section 4.4): 5 to 20 seconds, sides of 64 to 1240 pixels in steps of 8. */
  generateVideoAudio(request: VideoAudioRequest, options?: CallOptions): Promise<Submitted> {
    return this.submit(GENERATE.videoAudio, request, options);
  }

  /**
   * H3 video from words, a picture, or 1 to 4 reference pictures (section 4.7): 5 to 20 seconds. Tokens are
   * reserved; the final cost may differ, and the job's record then says `billingAdjusted`.
   */
  generateH3(request: H3Request, options?: CallOptions): Promise<Submitted> {
    return this.submit(GENERATE.h3, request, options);
  }

  /**
   * Reference-to-video v3 from 1 to 5 pictures and up to 3 sounds (section 4.8): 2 to 30 seconds. How long sounds
   * are is not checked here: 10 seconds each, 15 together.
   * @throws SubscriptionRequired without a Pro subscription
   */
  generateVid3(request: Vid3Request, options?: UploadOptions): Promise<Submitted> {
    return this.#upload(GENERATE.vid3, vid3Parts, request, options);
  }

  /** Text-to-image (section 4.6): sides of at most 2048 pixels. */
  generateImage(request: ImageRequest, options?: CallOptions): Promise<Submitted> {
    return this.submit(GENERATE.image, request, options);
  }

  /**
   * Blends or edits 1 to 3 pictures (section 4.5); the quality mode costs twice as much.
   * @throws SubscriptionRequired for a third picture outside the Ultra tier
   */
  generateImageEdit(request: ImageEditRequest, options?: CallOptions): Promise<Submitted> {
    return this.submit(GENERATE.imageEdit, request, options);
  }

  /** Makes anew what a mask marks in white (section 4.12). The answer does not say how many tokens are left. */
  generateInpaint(request: InpaintRequest, options?: CallOptions): Promise<Submitted> {
    return this.submit(GENERATE.inpaint, request, options);
  }

  /**
   * Image pro edit of 1 to 5 pictures of at most 4 MB each (section 4.9).
   * @throws SubscriptionRequired without a Pro subscription
   */
  generateImgproEdit(request: ImgproEditRequest, options?: UploadOptions): Promise<Submitted> {
    return this.#upload(GENERATE.imgproEdit, imgproParts, request, options);
  }

  /**
   * A new picture after 1 to 5 others of at most 4 MB each (section 4.9), in 2K sizes only.
   * @throws SubscriptionRequired without a Pro subscription
   */
  generateImgproReference(request: ImgproReferenceRequest, options?: UploadOptions): Promise<Submitted> {
    return this.#upload(GENERATE.imgproReference, imgproParts, request, options);
  }

  /**
   * Puts the face of one picture into another (section 4.10).
   * @throws SubscriptionRequired without a Pro subscription, except to boss accounts
   */
  generateFaceswap(request: FaceswapRequest, options?: CallOptions): Promise<Submitted> {
    return this.submit(GENERATE.faceswap, request, options);
  }

  /**
   * Encodes a picture and its mask for {@link generateInpaint} (section 4.11). Costs nothing and is repeated like a
   * read; the two come back whole, in base64, and fail as {@link ServiceFailure} or {@link Network} where they do not.
   */
  async encodeMask(request: EncodeMaskRequest, { as, ...options }: UploadOptions = {}): Promise<EncodedMask> {
    const fields = checked(encodeMaskRequest, request);
    const body = bodyOf(fields, maskParts, as);
    const answer = await this.service.post("image", "/encode/image-mask", body, options, MAX_ANSWER_BYTES);
    const encoded = readEncodedMask(answer);
    if (!encoded) throw new ServiceFailure({ status: 200 });
    return encoded;
  }

  /** Submits to an endpoint, in JSON; what the request holds is checked before anything leaves. */
  async submit(endpoint: GenerateEndpoint, request: object, options: CallOptions = {}): Promise<Submitted> {
    return this.#post(endpoint, jsonBody(checked(endpoint.request, request)), options);
  }

  async #upload<Request extends BodyFields>(
    endpoint: GenerateEndpoint<Request>,
    partsOf: (request: Request) => Iterable<Part>,
    request: Request,
    { as, ...options }: UploadOptions = {},
  ): Promise<Submitted> {
    return this.#post(endpoint, bodyOf(checked(endpoint.request, request), partsOf, as), options);
  }

  async #post(
    { path, group }: Pick<GenerateEndpoint, "path" | "group">,
    body: Body,
    options: CallOptions,
  ): Promise<Submitted> {
    const answer = await this.service.submit(group, path, body, options);
    const submitted = readSubmitted(answer);
    // An answer that names no job leaves open whether there is one.
    if (!submitted) throw this.service.unknown(answer, Unsure);
    return submitted;
  }
}

/** The request in the form that was asked for. */
function bodyOf<T extends BodyFields>(
  fields: T,
  partsOf: (fields: T) => Iterable<Part>,
  as: UploadOptions["as"],
): Body {
  return as === "multipart" ? multipartBody(partsOf(fields)) : jsonBody(fields);
}
