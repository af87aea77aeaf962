import type { EventType } from "../../src/seam/events.ts";
import type { PartnerHost, SurfaceHost } from "../../src/seam/surface/host.ts";
import type { JobAccess } from "../../src/seam/access/jobs.ts";
import type { JobRecord } from "../../src/seam/access/job-record.ts";
import type { Intake, Surface, WriteTold } from "../../src/seam/surface/surface.ts";
import type { Receipt, UserId } from "../../src/seam/values.ts";
import { isDeletedNotice } from "../../src/seam/text/notices.ts";
import type { ResultView, View } from "../../src/seam/views.ts";
import { ReelayError } from "../../src/common/errors.ts";
import { fileName } from "../../src/infrastructure/media/files/file-name.ts";
import type { Hold } from "../../src/infrastructure/media/files/held-files.ts";
import type { ResultMedia } from "../../src/infrastructure/media/files/result-media.ts";
import { LINK_MS } from "../../src/infrastructure/media/files/share.ts";
import type { GatewayParts } from "./jobs/gateway-parts.ts";
import { mountGateway } from "./app.ts";
import { Idempotency } from "./jobs/idempotency.ts";
import { ResultLinks } from "./jobs/result-links.ts";
import {
  asJson,
  type KeptResult,
  type Notes,
  notesFor,
  notesOf,
  receiptOf,
  requestOf,
} from "./resources/notes.ts";
import { shownJob } from "./jobs/shown-job.ts";
import { currentTime } from "../../src/common/time.ts";
import { LIMITS, MAX_RESULT_BYTES } from "./limits.ts";

/** How often what is kept no longer is erased, in milliseconds. */
const SWEEP_EVERY_MS = 3_600_000;

const DAY_MS = 24 * 3_600_000;

/** What results are held for. */
const RESULT = "result";

/** Whoever holds a job's results. */
const resultOwner = (user: UserId, job: string): string => `${user} ${RESULT} ${job}`;

/** Partners' programs: they ask over HTTP, and what is told them becomes events and webhooks. */
export function createHttpSurface(host: SurfaceHost, forPartners: PartnerHost): Surface {
  const { surface, parts } = openGateway(host, forPartners);
  mountGateway(parts);
  return surface;
}

/** The same, whichever way they ask: nothing is mounted anywhere. */
export function openGateway(
  host: SurfaceHost,
  forPartners: PartnerHost,
): { readonly surface: Surface; readonly parts: GatewayParts } {
  const { events, held } = forPartners;
  const links = new ResultLinks(forPartners);
  const idempotency = new Idempotency(host.memory("http"));
  const stop = new AbortController();
  let core: Intake | undefined;
  let sweeping: NodeJS.Timeout | undefined;

  const intake = () => {
    if (!core) throw new Error("The gateway was used before it was started.");
    return core;
  };
  const parts = { host, forPartners, links, intake, stopped: host.leaving };

  /** Tells of a job that still exists, and notes what was told of its end. */
  async function tell(record: JobRecord, type: EventType, notes: Notes, write?: WriteTold): Promise<Receipt> {
    const { user, id: job, address } = record;
    const { callback, files } = requestOf(address);
    const receipt = receiptOf(notes);
    const data = await shownJob({ links, forPartners }, { ...record, receipt }, host.config.locale);
    const event = { user, job, type, data: asJson(data), callback };
    if (type === "job.progress") {
      await events.append(event);
      return receipt;
    }
    // What was given is needed until the end, and nobody asks a program to try again.
    if (files !== undefined) await held.release(files);
    // Whoever is told of the end may ask for the result at once.
    await events.append(event, write && ((within) => write(receipt, within)));
    return receipt;
  }

  async function show(
    { user, answer }: Pick<Notes, "user" | "answer">,
    receipt: Receipt | null,
    view: View,
    write?: WriteTold,
  ): Promise<Receipt> {
    if (!("job" in view) || !view.job) return receipt ?? {};
    const job = view.job.id;
    const notes: Notes = notesOf(receipt) ?? notesFor({ user, answer }, job);
    if (isDeletedNotice(view)) {
      await erase(notes);
      return receiptOf(notes);
    }
    const record = await findOwn(intake().jobs, user, job);
    if (!record) return receiptOf(notes);
    switch (view.kind) {
      case "progress":
        return tell(record, "job.progress", notes);
      case "result":
        return tell(
          record,
          "job.completed",
          { ...notes, media: await keep(user, view), problem: null },
          write,
        );
      case "problem":
        return tell(record, "job.failed", { ...notes, problem: view.problem }, write);
      case "notice":
        return tell(record, "job.cancelled", notes, write);
      default:
        return view satisfies never;
    }
  }

  /** Keeps a result's files here: the service may forget them, and they are read in parts. */
  async function keep(user: UserId, { job, media }: ResultView): Promise<KeptResult[]> {
    const { jobs: days } = host.config.policy.keepDays;
    const now = currentTime();
    // Partners are told when `expire` will come, if that is sooner.
    const until = now + (days > 0 ? Math.min(LINK_MS, days * DAY_MS) : LINK_MS);
    const kept: KeptResult[] = [];
    for (const made of media) {
      const hold = { owner: resultOwner(user, job.id), until: now + LINK_MS };
      const { id: file, bytes, type } = await keepFile(made, hold);
      kept.push({ file, kind: made.kind, type, bytes, name: fileName(made, type), until });
    }
    return kept;
  }

  async function keepFile(made: ResultMedia, hold: Hold) {
    const { taken } = made;
    if (taken) return { ...(await held.adopt(taken, MAX_RESULT_BYTES, hold)), type: taken.type };
    const { stream, type } = await made.open(stop.signal);
    return { ...(await held.put(stream, MAX_RESULT_BYTES, hold)), type };
  }

  async function sweep(): Promise<void> {
    await held.sweep().catch((err: unknown) => host.log.warn({ err }, "Old files of partners stay for now"));
  }

  async function erase({ user, job, answer }: Notes): Promise<void> {
    if (answer !== undefined) await idempotency.forget(answer);
    await held.release(resultOwner(user, job));
    await events.forget(job);
  }

  const surface: Surface = {
    name: "http",
    limits: LIMITS,
    // What partners hear of is an event and messages to them: rows, which are sent from there.
    tellsIn: "database",

    async start(intake) {
      await held.sweep();
      sweeping = setInterval(() => void sweep(), SWEEP_EVERY_MS).unref();
      core = intake;
    },

    deliver: (address, view, write) => show(requestOf(address), null, view, write),

    async revise(receipt, view, write) {
      const notes = notesOf(receipt);
      return notes ? show(notes, receipt, view, write) : receipt;
    },

    /** A program is never asked for what is missing: its request is refused, with every field that is. */
    collect: async () => {},

    openMedia: (ref) => held.open(ref.id),
    digestIn: ({ id }) => id,
    unnamed: () => undefined,
    mentions: () => undefined,

    /** A program presses no buttons: it sends the file that it was given. */
    async keepPicture() {
      throw new ReelayError("undeliverable");
    },

    /** Partners' people have no key of their own. */
    keyConnected: async () => {},
    checkRights: async () => "granted",

    forget: (user) => held.releaseAll(user),

    /** Files that were given go with their job; events and messages are rows of the database, as jobs are. */
    expire: (before) => held.expire(RESULT, before + LINK_MS),

    /** A program is told of nothing that it did not ask for: its webhooks are for its own jobs. */
    async reach() {
      throw new ReelayError("undeliverable");
    },

    ready: () => core !== undefined && !stop.signal.aborted,

    async stop() {
      clearInterval(sweeping);
      // What is being told at this moment is told to its end: the core stays until nobody needs it.
      stop.abort();
    },
  };
  return { surface, parts };
}

/** A job that was deleted meanwhile is told of no more. */
async function findOwn(jobs: JobAccess, user: UserId, id: string): Promise<JobRecord | undefined> {
  return jobs.find(user, id).catch((error: unknown) => {
    if (error instanceof ReelayError && error.code === "not_found") return undefined;
    throw error;
  });
}
