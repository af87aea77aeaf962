import { JOBS_PER_PAGE } from "../../../common/contract.ts";
import type { Fields } from "../transport/answer.ts";
import type { MediaStream } from "../transport/download.ts";
import { ServiceFailure } from "../transport/errors.ts";
import { readStats, type Stats } from "../records/account.ts";
import { type JobListPage, type ServiceJob, readImgproJob, readJob, readJobList } from "../records/jobs.ts";
import { type JobSettings, readSettings } from "../records/settings.ts";
import { checked } from "../requests/checked.ts";
import { inPath, type JobListRequest, jobListRequest } from "../requests/jobs.ts";
import type { CallOptions } from "../transport/service.ts";
import { GenerateEndpoints } from "./generate.ts";

/**
 * What became of jobs (sections 2.4 and 4.13), and what they made. Records tell the stored state: it is enough to
 * ask every 5 to 10 seconds (section 8.2).
 */
export abstract class JobEndpoints extends GenerateEndpoints {
  /**
   * A job of any type but reference-to-video v3 and image pro (section 4.13).
   * @throws NotFound where the account has no such job
   */
  job(id: string, options?: CallOptions): Promise<ServiceJob> {
    return this.#record("/job", id, options);
  }

  /** A faceswap job in its own record (sections 2.4 and 4.10). Errors as {@link job}. */
  faceswapJob(id: string, options?: CallOptions): Promise<ServiceJob> {
    return this.#record("/faceswap", id, options);
  }

  /** An H3 job in its own record (sections 2.4 and 4.7). Errors as {@link job}. */
  h3Job(id: string, options?: CallOptions): Promise<ServiceJob> {
    return this.#record("/vendor-h3-jobs", id, options);
  }

  /** A reference-to-video v3 job (sections 2.4 and 4.8). Errors as {@link job}. */
  vid3Job(id: string, options?: CallOptions): Promise<ServiceJob> {
    return this.#record("/vid3-ref2v-jobs", id, options);
  }

  /** An image pro job (section 4.9), whose record is not shown: read as far as it can be. Errors as {@link job}. */
  imgproJob(id: string, options?: CallOptions): Promise<ServiceJob> {
    return this.#record("/imgpro-jobs", id, options, readImgproJob);
  }

  /** One page of the jobs, 20 unless told otherwise, at most 100; some types are not listed (section 4.13). */
  async jobs(request: JobListRequest = {}, options?: CallOptions): Promise<JobListPage> {
    const { page, perPage: per_page, status } = checked(jobListRequest, request);
    const answer = await this.service.read("status", "/jobs", { page, per_page, status }, options);
    // "No jobs" decides about tokens: an answer that lists nothing at all must not be taken for it.
    if (!Array.isArray(answer["jobs"])) throw this.service.unknown(answer, ServiceFailure);
    return readJobList(answer);
  }

  /** Every listed job, read page by page as they are taken. */
  async *allJobs(
    request: Omit<JobListRequest, "page"> = {},
    options?: CallOptions,
  ): AsyncGenerator<ServiceJob, void> {
    for (let page = 1; ; page++) {
      const { jobs, hasNext } = await this.jobs({ perPage: JOBS_PER_PAGE.max, ...request, page }, options);
      yield* jobs;
      if (!hasNext || jobs.length === 0) return;
    }
  }

  /** The account's jobs in numbers (sections 2.6 and 4.13). */
  async stats(options?: CallOptions): Promise<Stats> {
    return readStats(await this.service.read("status", "/stats", {}, options));
  }

  /**
   * The choices of an earlier video job (sections 2.7 and 4.13).
   * @throws NotFound where the account has no such job; what other types get is not shown
   */
  async jobSettings(id: string, options?: CallOptions): Promise<JobSettings> {
    const path = `/jobs/${inPath(id)}/settings`;
    return readSettings(await this.service.read("status", path, {}, options));
  }

  /**
   * Opens the video of a reference-to-video v3 job (section 4.8).
   * @throws NotFound where there is none, or none yet
   */
  async vid3Video(id: string, options?: CallOptions): Promise<MediaStream> {
    return this.download(this.vid3VideoUrl(id), options);
  }

  /** Where {@link vid3Video} finds it; the address is of use only with a key, and holds none. */
  vid3VideoUrl(id: string): string {
    return this.service.address(`/vid3-ref2v/${inPath(id)}/video`);
  }

  /**
   * Opens the picture of an image pro job (section 4.9).
   * @throws NotFound where there is none, or none yet
   */
  async imgproImage(id: string, options?: CallOptions): Promise<MediaStream> {
    return this.download(this.imgproImageUrl(id), options);
  }

  /** Where {@link imgproImage} finds it; the address is of use only with a key, and holds none. */
  imgproImageUrl(id: string): string {
    return this.service.address(`/imgpro-jobs/${inPath(id)}/image`);
  }

  /**
   * Opens a result as a stream, following redirects; the key goes to the service's own origin only.
   * @param url an address from a record, absolute or relative to the service's origin
   */
  download(url: string, options?: CallOptions): Promise<MediaStream> {
    return this.service.download(url, options);
  }

  async #record(
    path: string,
    id: string,
    options: CallOptions | undefined,
    read: (answer: Fields, id: string) => ServiceJob | undefined = readJob,
  ): Promise<ServiceJob> {
    const answer = await this.service.read("status", `${path}/${inPath(id)}`, {}, options);
    const record = read(answer, id);
    if (!record) throw this.service.unknown(answer, ServiceFailure);
    return record;
  }
}
