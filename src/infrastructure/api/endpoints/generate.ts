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

/**
 * What makes something (sections 4.3 to 4.12). Each method but `encodeMask` costs tokens, is sent once and never
 * repeated, and fails with {@link Unsure} when its answer was lost: then the job may exist and be charged.
 */
export abstract class GenerateEndpoints extends AccountEndpoints {
  /** Image-to-video (section 4.3): 3 to 8 seconds. Takes a prompt, a template, or both. */
  async generateVideo(request: VideoRequest, options?: CallOptions): Promise<Submitted> {
    return this.#submit("video", "/generate/video", jsonBody(checked(videoRequest, request)), options);
  }

  /** Text- or image-to-video with sound (section 4.4): 5 to 20 seconds, sides of 64 to 1240 pixels in steps of 8. */
  async generateVideoAudio(request: VideoAudioRequest, options?: CallOptions): Promise<Submitted> {
    const body = jsonBody(checked(videoAudioRequest, request));
    return this.#submit("videoAudio", "/generate/video-audio", body, options);
  }

  /**
   * H3 video from words, a picture, or 1 to 4 reference pictures (section 4.7): 5 to 20 seconds. Tokens are
   * reserved; the final cost may differ, and the job's record then says `billingAdjusted`.
   */
  async generateH3(request: H3Request, options?: CallOptions): Promise<Submitted> {
    return this.#submit("videoAudio", "/generate/vendor-h3", jsonBody(checked(h3Request, request)), options);
  }

  /**
   * Reference-to-video v3 from 1 to 5 pictures and up to 3 sounds (section 4.8): 2 to 30 seconds. How long sounds
   * are is not checked here: 10 seconds each, 15 together.
   * @throws SubscriptionRequired without a Pro subscription
   */
  async generateVid3(request: Vid3Request, { as, ...options }: UploadOptions = {}): Promise<Submitted> {
    const fields = checked(vid3Request, request);
    const body = bodyOf(fields, vid3Parts, as);
    return this.#submit("vid3", "/generate/vid3-ref2v", body, options);
  }

  /** Text-to-image (section 4.6): sides of at most 2048 pixels. */
  async generateImage(request: ImageRequest, options?: CallOptions): Promise<Submitted> {
    return this.#submit("image", "/generate/image", jsonBody(checked(imageRequest, request)), options);
  }

  /**
   * Blends or edits 1 to 3 pictures (section 4.5); the quality mode costs twice as much.
   * @throws SubscriptionRequired for a third picture outside the Ultra tier
   */
  async generateImageEdit(request: ImageEditRequest, options?: CallOptions): Promise<Submitted> {
    const body = jsonBody(checked(imageEditRequest, request));
    return this.#submit("image", "/generate/image-edit", body, options);
  }

  /** Makes anew what a mask marks in white (section 4.12). The answer does not say how many tokens are left. */
  async generateInpaint(request: InpaintRequest, options?: CallOptions): Promise<Submitted> {
    const body = jsonBody(checked(inpaintRequest, request));
    return this.#submit("image", "/generate/image-inpaint", body, options);
  }

  /**
   * Image pro edit of 1 to 5 pictures of at most 4 MB each (section 4.9).
   * @throws SubscriptionRequired without a Pro subscription
   */
  async generateImgproEdit(
    request: ImgproEditRequest,
    { as, ...options }: UploadOptions = {},
  ): Promise<Submitted> {
    const fields = checked(imgproEditRequest, request);
    const body = bodyOf(fields, imgproParts, as);
    return this.#submit("image", "/generate/imgpro-i2i", body, options);
  }

  /**
   * A new picture after 1 to 5 others of at most 4 MB each (section 4.9), in 2K sizes only.
   * @throws SubscriptionRequired without a Pro subscription
   */
  async generateImgproReference(
    request: ImgproReferenceRequest,
    { as, ...options }: UploadOptions = {},
  ): Promise<Submitted> {
    const fields = checked(imgproReferenceRequest, request);
    const body = bodyOf(fields, imgproParts, as);
    return this.#submit("image", "/generate/imgpro-ref2i", body, options);
  }

  /**
   * Puts the face of one picture into another (section 4.10).
   * @throws SubscriptionRequired without a Pro subscription, except to boss accounts
   */
  async generateFaceswap(request: FaceswapRequest, options?: CallOptions): Promise<Submitted> {
    const body = jsonBody(checked(faceswapRequest, request));
    return this.#submit("faceswap", "/generate/faceswap", body, options);
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

  async #submit(group: RateGroup, path: string, body: Body, options?: CallOptions): Promise<Submitted> {
    const submitted = readSubmitted(await this.service.submit(group, path, body, options));
    // An answer that names no job leaves open whether there is one.
    if (!submitted) throw new Unsure({ status: 200 });
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
