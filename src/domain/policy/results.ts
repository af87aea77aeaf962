import { ReelayError } from "../../common/errors.ts";
import type { Job } from "../jobs/job.ts";
import { findFfmpeg } from "../../infrastructure/media/video/ffmpeg.ts";
import { keyFrames } from "../../infrastructure/media/video/frames.ts";
import { type Print, printOf } from "../../infrastructure/media/pictures/print.ts";
import { isPicture } from "../../infrastructure/media/files/sniff.ts";
import type { TakenFile, TakenFiles } from "../../infrastructure/media/files/taken.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { Lineage } from "./lineage/lineage.ts";
import type { ExaminedPictures } from "./results/examined.ts";
import type { Examiner } from "./results/examiner.ts";

/** What results are looked at with. */
interface ResultsParts {
  readonly lineage: Pick<Lineage, "remember">;
  readonly examined: ExaminedPictures;
  readonly examiners: readonly Examiner[];
  readonly reports: {
    find(job: string): Promise<{ readonly state: string } | undefined>;
    withholdFlagged(job: Job, rule: string): Promise<void>;
  };
  /** `REELAY_FFMPEG`. */
  readonly ffmpeg: string | undefined;
  readonly log: Logger;
}

/** A picture of a result. */
interface Seen {
  readonly picture: TakenFile;
  readonly print: () => Promise<Print>;
}

/** Looks at what was made before anybody sees it. */
export class Results {
  readonly #parts: ResultsParts;
  /** Looked for once: that takes a process of its own. */
  #ffmpeg: Promise<string | undefined> | undefined;

  constructor(parts: ResultsParts) {
    this.#parts = parts;
  }

  /**
   * Remembers what was made, and has it examined: pictures, and of videos the first, the middle and the last frame. What is
   * flagged is withheld until an operator decides.
   * @throws ReelayError `result_unchecked` where it could not be examined now; the signal's reason
   */
  async look(job: Job, { files }: Pick<TakenFiles, "files">, signal: AbortSignal): Promise<void> {
    const { lineage, examined, examiners, reports, log } = this.#parts;
    await using making = new AsyncDisposableStack();
    const seen: Seen[] = [];
    let isSeen = true;
    for (const file of files) {
      const found = await this.#seenOf(job, file, making, signal);
      if (found.length === 0) {
        log.warn({ job: job.id }, "Nothing of a result could be looked at");
        isSeen = false;
      }
      seen.push(...found);
    }
    await lineage.remember(job, await Promise.all(seen.map(({ print }) => print())));
    // What an operator decided about it holds, whatever examiners say.
    if (examiners.length === 0 || (await reports.find(job.id))?.state === "settled") return;
    for (const examiner of examiners) {
      const flagged = new Set<string>();
      for (const { picture } of seen) {
        const said = await examined.ask(examiner, picture, signal);
        if (said === undefined) throw new ReelayError("result_unchecked");
        for (const category of said) flagged.add(category);
      }
      const wrong = [...flagged].filter((name) => !(job.mature && examiner.mature.includes(name)));
      if (wrong.length > 0)
        return await reports.withholdFlagged(job, `${examiner.name}: ${wrong.join(", ")}`);
      if (!isSeen && examiner.unseen === "unchecked") throw new ReelayError("result_unchecked");
    }
  }

  /** @param making has what is made for this removed in the end */
  async #seenOf(
    job: Job,
    file: TakenFile,
    making: AsyncDisposableStack,
    signal: AbortSignal,
  ): Promise<readonly Seen[]> {
    if (file.kind !== undefined && isPicture(file.kind))
      return [
        {
          picture: file,
          print: () => printOf(file).catch((err: unknown) => this.#unread(job, file, err)),
        },
      ];
    this.#ffmpeg ??= findFfmpeg(this.#parts.ffmpeg);
    const ffmpeg = await this.#ffmpeg;
    if (ffmpeg === undefined) return [];
    const keep = this.#parts.examiners.length > 0;
    const { frames } = making.use(await keyFrames(ffmpeg, { from: file.path, keep, signal }));
    return frames.map(({ look, failure, ...picture }) => ({
      picture,
      print: async () =>
        failure === undefined ? { digest: picture.digest, look } : this.#unread(job, picture, failure),
    }));
  }

  /** Nobody can give it to us either, but as it is. */
  #unread(job: Job, { digest }: TakenFile, err: unknown): Print {
    this.#parts.log.warn({ err, job: job.id }, "What a result looks like could not be read");
    return { digest, look: null };
  }
}
