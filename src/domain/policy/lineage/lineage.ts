import type { Readable } from "node:stream";
import type { MediaRef } from "../../../seam/values.ts";
import { ReelayError } from "../../../common/errors.ts";
import type { Job } from "../../jobs/job.ts";
import type { Ledger } from "../../jobs/ledger.ts";
import { digestOf } from "../../../infrastructure/media/files/hashed.ts";
import { MAX_PICTURE_BYTES } from "../../../infrastructure/media/pictures/picture.ts";
import { receiveFile } from "../../../infrastructure/media/files/prepared.ts";
import { knownPrint, type Print, printOf } from "../../../infrastructure/media/pictures/print.ts";
import { signsOf, type Wording } from "../words/refused-words.ts";
import type { ExaminedPictures } from "../results/examined.ts";
import type { Examiner } from "../results/examiner.ts";
import type { MadePictures } from "./made-pictures.ts";
import { NO_TRAITS, together, type Traits, UNKNOWN } from "../../jobs/traits.ts";
import { currentTime } from "../../../common/time.ts";

/** What is known of a picture that shows it. */
const EXPLICIT: Traits = { ...NO_TRAITS, signs: ["sexual"], mature: true };

/** What lineage stands on. */
interface LineageParts {
  readonly made: MadePictures;
  readonly ledger: Pick<Ledger, "traitsOf">;
  /** Opens a file that a person gave. */
  readonly openMedia: (ref: MediaRef) => Promise<Readable>;
  /** SHA-256 of a file that a person gave, where that can be told without reading it. */
  readonly digestIn: (ref: MediaRef) => string | undefined;
  /** A folder for temporary files. */
  readonly scratch: string;
  readonly examined: ExaminedPictures;
  /** Sees what pictures show; undefined: nobody does. */
  readonly classifier: Examiner | undefined;
}

/**
 * What is known of pictures from how they were made here: it counts for whatever is made of them. They are recognised by
 * their digest, and by their looks, because messengers compress them again.
 */
export class Lineage {
  readonly #parts: LineageParts;
  /** Whoever asks waits for the answer: the decoder has a deadline of its own. */
  readonly #never = new AbortController().signal;

  constructor(parts: LineageParts) {
    this.#parts = parts;
  }

  /**
   * What is known of given pictures together.
   * @throws ReelayError where one cannot be opened or read: what could not be looked at is not let through
   */
  async of(pictures: readonly MediaRef[]): Promise<Traits> {
    return together(await Promise.all(pictures.map((ref) => this.#lookAt(ref))));
  }

  async #lookAt(ref: MediaRef): Promise<Traits> {
    const { made, openMedia, scratch, examined, classifier } = this.#parts;
    const before = classifier ? undefined : await this.#printBefore(ref);
    if (before) return (await made.find(before)) ?? UNKNOWN;
    await using file = await receiveFile(() => openMedia(ref), scratch, MAX_PICTURE_BYTES);
    const known = (await made.find(await printOf(file))) ?? UNKNOWN;
    if (!classifier) return known;
    const seen = await examined.ask(classifier, file, this.#never);
    if (seen === undefined) throw new ReelayError("moderation_down");
    return seen.length === 0 ? known : together([known, EXPLICIT]);
  }

  /** What a picture is recognised by that was looked into before: for that it need not lie on our disk. */
  async #printBefore(ref: MediaRef): Promise<Print | undefined> {
    const { digestIn, openMedia } = this.#parts;
    return knownPrint(digestIn(ref) ?? (await digestOf(await openMedia(ref), MAX_PICTURE_BYTES)));
  }

  /** Remembers pictures that a job made: before anybody sees them. */
  async remember({ id, mature }: Pick<Job, "id" | "mature">, prints: readonly Print[]): Promise<void> {
    const { made, ledger } = this.#parts;
    const traits = (await ledger.traitsOf(id)) ?? { ...UNKNOWN, mature };
    await made.remember(prints, traits, currentTime());
  }
}

/** What is to be known of what is made of a request. @param known what is known of its pictures */
export function traitsFor(wording: Wording, known: Traits): Traits {
  return together([{ signs: [...signsOf(wording)], mature: wording.mature, photo: false }, known]);
}
