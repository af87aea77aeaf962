import { bodyOf } from "./body.ts";
import { JobEnded, Unreachable } from "./errors.ts";
import { eventsIn, type JobEvent } from "./events.ts";
import { type Asked, type Connection, Http, pause } from "./http.ts";
import type { AcceptedJob, Job, JobList, Media, OperationList, Partner, Quote } from "./made/answers.ts";
import type { NewJob, NewQuote } from "./made/requests.ts";

/** How long a broken stream of events rests before it is opened anew, in milliseconds. */
const REST_MS = 1_000;

/** What every call takes. */
interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Which jobs are listed. */
export interface JobQuery {
  readonly status?: Job["status"];
  readonly in_app_username?: string;
  /** ISO 8601. */
  readonly created_after?: string;
  readonly created_before?: string;
  /** Of one page, up to 100. */
  readonly limit?: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** A Reelay, called with a partner's token. */
export class Reelay {
  readonly #http: Http;

  constructor(connection: Connection) {
    this.#http = new Http(connection);
  }

  /**
   * Asks for something to be made. However often the line breaks, it is made and charged once.
   * @param options.idempotencyKey yours, such as an order's number: the same request with it, also of another process,
   * is answered with the same job
   * @returns the job; the first one that names a `webhook` of its own with the secret that signs what is sent there
   */
  async create(
    job: NewJob,
    { idempotencyKey = crypto.randomUUID(), signal }: CallOptions & { readonly idempotencyKey?: string } = {},
  ): Promise<AcceptedJob> {
    const { body, headers } = bodyOf(job);
    const keyed = { ...headers, "idempotency-key": idempotencyKey };
    return this.call<AcceptedJob>("/v1/jobs", { method: "POST", headers: keyed, body, signal });
  }

  /** What it would cost, without asking for it. */
  async quote(quote: NewQuote, options: CallOptions = {}): Promise<Quote> {
    return this.call<Quote>("/v1/quotes", { method: "POST", ...bodyOf(quote), ...options });
  }

  /** A job as it is now. */
  async read(id: string, options: CallOptions = {}): Promise<Job> {
    return this.call<Job>(jobPath(id), options);
  }

  /** One page of your jobs, newest first. */
  async list(query: JobQuery = {}, options: CallOptions = {}): Promise<JobList> {
    const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const search = new URLSearchParams(Object.fromEntries(given)).toString();
    return this.call<JobList>(`/v1/jobs?${search}`, options);
  }

  /**
   * Cancels a job that still waits; deletes one that has ended, with its result.
   * @param options `here`: it stays in the account at the service, which takes no key
   */
  async remove(
    id: string,
    { here = false, signal }: CallOptions & { readonly here?: boolean } = {},
  ): Promise<{ readonly outcome: string }> {
    return this.call(`${jobPath(id)}${here ? "?here=true" : ""}`, { method: "DELETE", signal });
  }

  /** Everything that can be made, with what it takes. */
  async operations(options: CallOptions = {}): Promise<OperationList> {
    return this.call<OperationList>("/v1/operations", options);
  }

  /** Who you are here: your caps, what you have spent, and what is left. */
  async partner(options: CallOptions = {}): Promise<Partner> {
    return this.call<Partner>("/v1/partner", options);
  }

  /** A job's events until its end. Where the line breaks they go on after the last one that came. */
  async *follow(id: string, { signal }: CallOptions = {}): AsyncGenerator<JobEvent> {
    let last = "0";
    for (;;) {
      const asked = { headers: { "last-event-id": last }, signal };
      const body = await this.#http.send(`${jobPath(id)}/events`, asked, (response) => response.body);
      try {
        for await (const event of body ? eventsIn(body) : []) {
          last = event.id;
          yield event;
          if (event.type !== "job.progress") return;
        }
      } catch (error) {
        // fetch throws one where the line breaks.
        if (!(error instanceof TypeError)) throw error;
      }
      await pause(REST_MS, signal);
    }
  }

  /**
   * A job once it is completed.
   * @param options.onProgress is told each time that it got on
   * @throws JobEnded where it came to nothing
   */
  async wait(
    id: string,
    { onProgress, signal }: CallOptions & { readonly onProgress?: (job: Job) => void } = {},
  ): Promise<Job> {
    for await (const { type, job } of this.follow(id, signal ? { signal } : {})) {
      if (type === "job.completed") return job;
      if (type !== "job.progress") throw new JobEnded(job);
      onProgress?.(job);
    }
    throw new Unreachable("The events of the job ended before it did.");
  }

  /** A file of a result, as it comes. Until `expires_at` its link can be given to anybody. */
  async download({ link }: Pick<Media, "link">, { signal }: CallOptions = {}): Promise<Response> {
    return this.#http.send(link, { signal }, (response) => response);
  }

  /**
   * Calls what has no method here.
   * @param path from `/v1` on
   */
  async call<T>(path: string, asked: Asked = {}): Promise<T> {
    return this.#http.send(path, asked, async (response) => (await response.json()) as T);
  }
}

function jobPath(id: string): string {
  return `/v1/jobs/${encodeURIComponent(id)}`;
}
