import { asReelayError } from "../../common/errors.ts";
import { lookAgain } from "../../common/time.ts";
import type { Surfaces } from "../../seam/surface/surfaces.ts";
import { platformOf } from "../../seam/values.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { Alerts, ClaimedNotice } from "./alerts.ts";
import { sentenceFor } from "./notice.ts";
import { post } from "./post.ts";

/** Another process may have written something, in milliseconds. */
const LOOK_EVERY_MS = 5_000;

/** What a teller works with. */
interface AlertTellerParts {
  readonly alerts: Alerts;
  readonly surfaces: Pick<Surfaces, "of" | "names">;
  readonly log: Logger;
}

/** Tells chats what they are still to be told of alerts, until the platform has taken it. */
export class AlertTeller {
  readonly #parts: AlertTellerParts;
  readonly #stop = new AbortController();
  #loop = Promise.resolve();

  constructor(parts: AlertTellerParts) {
    this.#parts = parts;
  }

  start(): void {
    const tell = () =>
      this.tellAll().catch((err: unknown) =>
        this.#parts.log.error({ err }, "What is to be told of alerts could not be read"),
      );
    this.#loop = lookAgain(tell, LOOK_EVERY_MS, this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  /** Tells what is due. */
  async tellAll(): Promise<void> {
    const { alerts, surfaces } = this.#parts;
    while (!this.#stop.signal.aborted) {
      const next = await alerts.claim(surfaces.names);
      if (!next) return;
      await this.#tell(next);
    }
  }

  async #tell(next: ClaimedNotice): Promise<void> {
    const { alerts, surfaces, log } = this.#parts;
    try {
      await post(surfaces.of(platformOf(next.place)), next.place, sentenceFor(next));
    } catch (err) {
      await alerts.putOff(next);
      const { code } = asReelayError(err);
      if (!this.#stop.signal.aborted) log.warn({ err, code }, "A chat could not be told of an alert");
      return;
    }
    await alerts.told(next);
  }
}
