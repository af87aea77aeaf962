import type { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import type { ModerationAnswer } from "./answer.ts";
import { type Deadline, deadlineIn } from "./deadline.ts";
import { ModerationEndpoint } from "./endpoint.ts";
import { smallPicture } from "./picture.ts";
import type { ModerationSettings } from "./settings.ts";
import type { ModerationVerdict, Unflagged } from "./verdict.ts";

/** What is to be examined. */
export interface Moderated {
  /** Every word that says what is to be made. */
  readonly text: string;
  /** Open each picture. */
  readonly pictures: readonly (() => Promise<Readable>)[];
}

/** What the moderator works with. */
export interface ModeratorParts {
  readonly log: Logger;
  /** A folder for temporary files. */
  readonly scratch: string;
}

/** What came of one request, or why there was none. */
type Finding = ModerationAnswer | Extract<Unflagged, { kind: "unseen" }>;

const PASSED: Finding = { kind: "passed" };

/** From the worst on: what a person can mend comes first. */
const WORST = ["unseen", "unreadable", "busy", "down"] as const;

/** Has words and pictures examined by the operator's moderation endpoint. */
export class Moderator {
  readonly #settings: ModerationSettings;
  readonly #parts: ModeratorParts;
  readonly #endpoint: ModerationEndpoint;

  constructor(settings: ModerationSettings, parts: ModeratorParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#endpoint = new ModerationEndpoint(settings);
  }

  /**
   * Examines words and every picture, all before one deadline.
   * @throws the signal's reason, and nothing else
   */
  async examine({ text, pictures }: Moderated, signal?: AbortSignal): Promise<ModerationVerdict> {
    signal?.throwIfAborted();
    const deadline = deadlineIn(this.#settings.timeoutMs, signal);
    const [ofWords, ...ofPictures] = await Promise.all([
      // An empty text is refused. Apart from the pictures, so that it is known what was flagged.
      text.trim() === "" ? PASSED : this.#endpoint.ask([{ type: "text", text }], deadline),
      ...pictures.map((open) => this.#look(open, deadline)),
    ]);
    signal?.throwIfAborted();
    const rest = this.#worst([ofWords, ...ofPictures]);
    const [words, inPictures] = [categoriesOf([ofWords]), categoriesOf(ofPictures)];
    return words.length + inPictures.length > 0
      ? { kind: "flagged", words, pictures: inPictures, rest }
      : rest;
  }

  async #look(open: () => Promise<Readable>, deadline: Deadline): Promise<Finding> {
    try {
      const url = await smallPicture(open, this.#parts.scratch, deadline);
      return await this.#endpoint.ask([{ type: "image_url", image_url: { url } }], deadline);
    } catch (error) {
      // Such a picture is refused when it is sent, too, and in these words.
      if (error instanceof ReelayError) return { kind: "unseen", code: error.code, params: error.params };
      if (!deadline.signal.aborted) this.#parts.log.warn({ err: error }, "A picture could not be examined");
      return { kind: "unseen", code: "moderation_down", params: {} };
    }
  }

  /** The worst of what was not flagged, of which the operator is told. */
  #worst(findings: readonly Finding[]): Unflagged {
    const worst = WORST.map((kind) => findings.find((one) => one.kind === kind)).find(Boolean);
    switch (worst?.kind) {
      case "unseen":
        return worst;
      case "unreadable":
      case "busy":
      case "down":
        this.#parts.log.warn({ found: worst.found }, `Moderation is ${worst.kind}. ${worst.advice}`);
        return { kind: worst.kind };
      default:
        return { kind: "passed" };
    }
  }
}

/** What was flagged, each by its name once. */
function categoriesOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.flatMap((one) => (one.kind === "flagged" ? one.categories : [])))];
}
