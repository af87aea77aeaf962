import { JOBS_PER_PAGE } from "../contract.ts";
import type { Fields } from "./answer.ts";
import type { FileSource } from "./body.ts";
import type { MediaStream } from "./download.ts";
import { ServiceFailure, Unsure } from "./errors.ts";
import { type Balance, readBalance, readStats, readTokenUse, readUser } from "./records/account.ts";
import type { Stats, TokenUse, User } from "./records/account.ts";
import { type JobListPage, type JobRecord, readJob, readJobList, readSubmitted } from "./records/jobs.ts";
import type { Submitted } from "./records/jobs.ts";
import { type JobSettings, readSettings, readTemplates, type VideoTemplate } from "./records/videos.ts";
import {
  checked,
  jobId,
  type JobListRequest,
  jobListRequest,
  type VideoRequest,
  videoRequest,
} from "./requests.ts";
import { type CallOptions, Service, type ServiceOptions } from "./service.ts";

export * from "./errors.ts";
export type { Call, Gate } from "./gate.ts";
export { Transport, type TransportOptions } from "./transport.ts";
export type {
  Balance,
  CallOptions,
  FileSource,
  JobListPage,
  JobListRequest,
  JobRecord,
  JobSettings,
  MediaStream,
};
export type { ServiceOptions, Stats, Submitted, TokenUse, User, VideoRequest, VideoTemplate };

/**
 * The service, one method an endpoint, each under its first path.
 *
 * Every method fails with an {@link ApiError} (or the reason of its signal); what is read or deleted is
 * repeated while that can help, what costs tokens never is. Requests are checked before they leave
 * (ReelayError `field_*`), answers are read leniently and kept whole under `raw`.
 */
export class MediaApi {
  readonly #service: Service;

  constructor(options: ServiceOptions) {
    this.#service = new Service(options);
  }

  /** Whose key it is (section 4.1). */
  async info(options?: CallOptions): Promise<User> {
    return readUser(await this.#service.read("user", "/user/info", {}, options));
  }

  /** What can be spent (section 4.1). */
  async balance(options?: CallOptions): Promise<Balance> {
    return readBalance(await this.#service.read("user", "/user/balance", {}, options));
  }

  /** What was spent (section 4.1). */
  async tokens(options?: CallOptions): Promise<TokenUse> {
    return readTokenUse(await this.#service.read("user", "/user/tokens", {}, options));
  }

  /** The video templates of this host (sections 2.8 and 4.2). */
  async templates(options?: CallOptions): Promise<readonly VideoTemplate[]> {
    return readTemplates(await this.#service.read("user", "/templates", {}, options));
  }

  /**
   * Image-to-video (section 4.3). Costs tokens; sent once.
   * @throws Unsure when the answer was lost: the job may exist and be charged
   */
  async generateVideo(request: VideoRequest, options?: CallOptions): Promise<Submitted> {
    const fields = checked(videoRequest, request);
    return submitted(await this.#service.submit("video", "/generate/video", fields, options));
  }

  /** The stored state of a job (sections 2.4 and 4.13). */
  async job(id: string, options?: CallOptions): Promise<JobRecord> {
    const record = readJob(await this.#service.read("status", `/job/${checked(jobId, id)}`, {}, options));
    if (!record) throw new ServiceFailure();
    return record;
  }

  /** One page of the jobs, 20 unless told otherwise; some types are not listed (section 4.13). */
  async jobs(request: JobListRequest = {}, options?: CallOptions): Promise<JobListPage> {
    const { page, perPage: per_page, status } = checked(jobListRequest, request);
    const answer = await this.#service.read("status", "/jobs", { page, per_page, status }, options);
    // "No jobs" decides about tokens: an answer that lists nothing at all must not be taken for it.
    if (!Array.isArray(answer["jobs"])) throw new ServiceFailure({ status: 200 });
    return readJobList(answer);
  }

  /** Every listed job, read page by page as they are taken. */
  async *allJobs(
    request: Omit<JobListRequest, "page"> = {},
    options?: CallOptions,
  ): AsyncGenerator<JobRecord, void> {
    for (let page = 1; ; page++) {
      const { jobs, hasNext } = await this.jobs({ perPage: JOBS_PER_PAGE.max, ...request, page }, options);
      yield* jobs;
      if (!hasNext || jobs.length === 0) return;
    }
  }

  /** The account's jobs in numbers (sections 2.6 and 4.13). */
  async stats(options?: CallOptions): Promise<Stats> {
    return readStats(await this.#service.read("status", "/stats", {}, options));
  }

  /** The choices of an earlier video job (sections 2.7 and 4.13). */
  async jobSettings(id: string, options?: CallOptions): Promise<JobSettings> {
    const path = `/jobs/${checked(jobId, id)}/settings`;
    return readSettings(await this.#service.read("status", path, {}, options));
  }

  /** Deletes a video job (section 4.14). */
  async deleteVideoJob(id: string, options?: CallOptions): Promise<void> {
    await this.#service.remove("delete", `/jobs/${checked(jobId, id)}`, options);
  }

  /** Deletes every job of the account (section 4.14). */
  async deleteAllJobs(options?: CallOptions): Promise<void> {
    await this.#service.remove("delete", "/jobs/delete-all", options);
  }

  /**
   * Opens a result as a stream, following redirects; the key goes to the service's own origin only.
   * @param url an address from a record, absolute or relative to the service's origin
   */
  download(url: string, options?: CallOptions): Promise<MediaStream> {
    return this.#service.download(url, options);
  }

  /** Ends the connections, unless they are shared. */
  close(): Promise<void> {
    return this.#service.close();
  }
}

/** An answer that names no job leaves open whether there is one. */
function submitted(answer: Fields): Submitted {
  const read = readSubmitted(answer);
  if (!read) throw new Unsure({ status: 200 });
  return read;
}
