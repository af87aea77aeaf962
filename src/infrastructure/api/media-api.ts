import { JobEndpoints } from "./endpoints/jobs.ts";
import { checked } from "./requests/checked.ts";
import { deletableId } from "./requests/jobs.ts";
import type { CallOptions } from "./transport/service.ts";

export type { Fields } from "./transport/answer.ts";
export type { Checkpoint } from "./transport/checked-body.ts";
export type { MediaStream } from "./transport/download.ts";
export { GENERATE, type GenerateEndpoint, type UploadOptions } from "./endpoints/generate.ts";
export { askBy } from "./transport/ask.ts";
export * from "./transport/errors.ts";
export type { Egress } from "./transport/egress.ts";
export type { FileSource } from "./transport/file.ts";
export type { GatedCall, CallGate } from "./transport/gate.ts";
export type { Balance, Stats, TokenUse, User } from "./records/account.ts";
export type {
  EditTemplate,
  H3Template,
  ImageModel,
  RawTemplates,
  RegisteredTemplate,
} from "./records/catalogues.ts";
export type { JobListPage, ServiceJob, Submitted } from "./records/jobs.ts";
export type { EncodedMask } from "./records/mask.ts";
export type { JobSettings } from "./records/settings.ts";
export type { SubTemplate, VideoTemplate } from "./records/video-templates.ts";
export * from "./requests/index.ts";
export { isDeletable } from "./requests/jobs.ts";
export type { CallOptions, ServiceOptions } from "./transport/service.ts";
export { Transport, type TransportOptions } from "./transport/transport.ts";

/**
 * The service, one method an endpoint, each under its first path.
 *
 * Every method fails with an {@link ApiError} (or the reason of its signal); what costs nothing is repeated while
 * that can help, what costs tokens never is. Requests are checked before they leave (ReelayError `field_*`; sizes of
 * files are in bytes), answers are read leniently and kept whole under `raw`.
 *
 * The methods stand in `endpoints/`, by subject; the deletes are here. Each of those fails with {@link NotFound} where
 * the account has no such job of its kind.
 */
export class MediaApi extends JobEndpoints {
  /** Deletes a video job (section 4.14). */
  deleteVideoJob(id: string, options?: CallOptions): Promise<void> {
    return this.#delete("/jobs", id, options);
  }

  /** Deletes a video-audio job (section 4.14). */
  deleteVideoAudioJob(id: string, options?: CallOptions): Promise<void> {
    return this.#delete("/video-audio-jobs/delete", id, options);
  }

  /** Deletes an H3 job (section 4.14). */
  deleteH3Job(id: string, options?: CallOptions): Promise<void> {
    return this.#delete("/vendor-h3-jobs/delete", id, options);
  }

  /** Deletes a reference-to-video v3 job (section 4.14). */
  deleteVid3Job(id: string, options?: CallOptions): Promise<void> {
    return this.#delete("/vid3-ref2v-jobs/delete", id, options);
  }

  /** Deletes a text-to-image job (section 4.14). */
  deleteImageJob(id: string, options?: CallOptions): Promise<void> {
    return this.#delete("/image-jobs/delete", id, options);
  }

  /** Deletes an image-edit job, inpaints too (section 4.14). */
  deleteImageEditJob(id: string, options?: CallOptions): Promise<void> {
    return this.#delete("/image-edit-jobs/delete", id, options);
  }

  /** Deletes a faceswap job (section 4.14). */
  deleteFaceswapJob(id: string, options?: CallOptions): Promise<void> {
    return this.#delete("/faceswap-jobs/delete", id, options);
  }

  /** Deletes an upscale job (section 4.14); such jobs are made on the service's own pages only (section 1). */
  deleteUpscaleJob(id: string, options?: CallOptions): Promise<void> {
    return this.#delete("/image-upscale-jobs/delete", id, options);
  }

  /** Deletes every job of the account (section 4.14). */
  async deleteAllJobs(options?: CallOptions): Promise<void> {
    await this.service.remove("delete", "/jobs/delete-all", options);
  }

  /** Ends the connections, unless they are shared. */
  close(): Promise<void> {
    return this.service.close();
  }

  async #delete(path: string, id: string, options: CallOptions | undefined): Promise<void> {
    await this.service.remove("delete", `${path}/${encodeURIComponent(checked(deletableId, id))}`, options);
  }
}
