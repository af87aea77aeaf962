import { parseToken } from "../../../src/seam/text/actions.ts";
import { linesOf } from "../../../src/seam/text/lines.ts";
import type { ResultView } from "../../../src/seam/views.ts";
import { type MessageKey, type Translate, translator } from "../../../src/common/i18n.ts";
import { type FinishedFile, firstTaken } from "../../kit/results/forms.ts";
import { TakesNoForm } from "../../../src/seam/surface/takes-no-form.ts";
import { waitingMessage } from "../../kit/results/show-result.ts";
import { type DiscordAddress, type DiscordReceipt, isUnasked } from "../context/address.ts";
import type { MessageBody } from "../api/api.ts";
import type { Permission } from "../context/permissions.ts";
import { call, missingPermission, openingFor } from "./call.ts";
import { cardOf, type CardFiles } from "./card.ts";
import { componentsOf } from "./components.ts";
import type { Services } from "../context/context.ts";
import { meaningOf } from "../api/errors.ts";
import { DISCORD } from "../api/limits.ts";
import { thumbnailOf } from "../media/thumbnail.ts";
import { change, changeAsAnswer, isPublic, remove, replacing } from "./posted.ts";
import { firstOf, ifReached, isOutOfReach, OutOfReach } from "../context/reach.ts";
import { pingIfWanted } from "./ping.ts";
import { plain, said } from "./render.ts";
import { enclose } from "./results-files.ts";
import { deliveriesIn, type DiscordDelivery } from "./results-memory.ts";
import { publish, tell } from "./tell.ts";
import { currentTime } from "../../../src/common/time.ts";

/** How much of what Discord is thought to take is tried, one after the other: what it does take, only it knows. */
const SHARES = [1, 0.5, 0] as const;

/** What is said of a result: what somebody has left is nobody else's business, and what nobody else sees is not reported. */
export function shownAt(receipt: DiscordReceipt, view: ResultView): ResultView {
  if (isPublic(receipt)) return { ...view, balance: null };
  return { ...view, actions: view.actions.filter(({ token }) => parseToken(token).command !== "report") };
}

/** A message that shows a result, or is to show it. */
type Place = Pick<DiscordDelivery, "receipt" | "opening">;

/** What is delivered, and where to. */
export interface ResultParts {
  readonly services: Services;
  /** Where it was asked for, or the message that shows how far it is. */
  readonly at: DiscordAddress | DiscordReceipt;
  readonly view: ResultView;
  readonly files: readonly FinishedFile[];
  /** A message that was posted for it before. */
  readonly begun: Place | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * One result on its way. Its files come into a message that is there already, by an edit: however often a crash
 * repeats that, they are shown once.
 */
export class ResultDelivery {
  readonly #parts: ResultParts;
  readonly #say: Translate;
  /** Every link to one of the files that was made for it. */
  readonly #links: string[] = [];
  #source: Promise<Buffer | undefined> | undefined;
  /** What its message came to show. */
  #shown: CardFiles | undefined;

  constructor(parts: ResultParts) {
    this.#parts = parts;
    this.#say = translator(parts.at.locale);
  }

  /**
   * Shows the result in the place of its progress; or, when the token of that is dead, where the person finds it. The
   * progress that others took the place of stays, as what they answer, and says that it ended.
   * @throws TakesNoForm, or OutOfReach when it can be shown nowhere, after saying where it waits
   */
  async finish(): Promise<DiscordReceipt> {
    const { at, view } = this.#parts;
    const progress = "message" in at ? at : undefined;
    try {
      const receipt = await this.#arrive(progress);
      if (progress && progress.message !== receipt.message) {
        const [made = ""] = linesOf(this.#say, view, currentTime());
        await this.#end(progress, replacing(said(plain(made))));
      } else await pingIfWanted(this.#parts.services, receipt, view.job.id);
      return receipt;
    } catch (error) {
      if (progress && error instanceof OutOfReach)
        await this.#end(progress, this.#waiting(progress, this.#say("error.undeliverable")));
      throw error;
    }
  }

  #arrive(progress: DiscordReceipt | undefined): Promise<DiscordReceipt> {
    const { services, at, begun } = this.#parts;
    const { body, nonce } = this.#announcement();
    return firstOf([
      ...(begun ? [() => this.#fill(begun)] : []),
      // Nobody is called by an edit, but a reply to their message is looked for where it stands; so is what came a moment ago.
      ...(progress
        ? [
            () =>
              this.#fill(
                { receipt: progress, opening: "" },
                at.replyTo || isUnasked(at) ? change : changeAsAnswer,
              ),
          ]
        : []),
      async () => this.#begin({ receipt: await publish(services, at, body), opening: "" }),
      () => this.#call(),
      async () => this.#begin({ receipt: await tell(services, at, body, nonce), opening: "" }),
    ]);
  }

  #announcement(opening = ""): { body: MessageBody; nonce: string } {
    const { services, at, view } = this.#parts;
    const { job } = view;
    const body = cardOf(
      { services, say: this.#say, at, opening },
      { kind: "progress", job, phase: "sending" },
    );
    // Its end tells ids apart that are longer than a job's own: a result that an operator looks at has one.
    return { body, nonce: job.id.slice(-DISCORD.nonce) };
  }

  /** In the channel, where the bot may post by itself; the person is told what it lacks there. */
  async #call(): Promise<DiscordReceipt> {
    const { services, at } = this.#parts;
    const opening = openingFor(at);
    const { body, nonce } = this.#announcement(opening);
    let needed: Permission = "send_messages";
    try {
      const receipt = await call(services, at, body, nonce);
      needed = "attach_files";
      return await this.#begin({ receipt, opening });
    } catch (error) {
      const permission = missingPermission(error, needed);
      if (permission) await this.#tellMissing(permission);
      throw error;
    }
  }

  async #tellMissing(key: MessageKey): Promise<void> {
    const { services, at } = this.#parts;
    const params = { channel: `<#${at.channel}>`, permission: this.#say(key) };
    await ifReached(() => tell(services, at, said(this.#say("discord.forbidden", params))));
  }

  /** Remembers a new message before the files come into it; takes it back where they cannot. */
  async #begin(place: Place): Promise<DiscordReceipt> {
    await this.#keep({ ...place, complete: false });
    try {
      return await this.#fill(place);
    } catch (error) {
      if (isOutOfReach(error)) await ifReached(() => remove(this.#parts.services, place.receipt));
      throw error;
    }
  }

  /** @param edit how it gets there */
  async #fill(place: Place, edit = change): Promise<DiscordReceipt> {
    const { services } = this.#parts;
    try {
      await this.#upload(place, edit);
      const { receipt, opening } = place;
      const links = this.#links.length > 0 && { links: this.#links };
      const shown = this.#shown && { shown: this.#shown };
      await this.#keep({ receipt, opening, complete: true, ...links, ...shown });
      return place.receipt;
    } catch (error) {
      const { receipt } = place;
      const why = this.#say("view.too_large", { platform: "Discord" });
      if (error instanceof TakesNoForm) await edit(services, receipt, () => this.#waiting(receipt, why));
      throw error;
    }
  }

  /** @throws TakesNoForm */
  async #upload({ receipt, opening }: Place, edit: typeof change): Promise<void> {
    const { services } = this.#parts;
    const taken = await firstTaken(
      SHARES.map((share) => async () => {
        await edit(services, receipt, (fileLimit) => this.#body({ receipt, opening }, fileLimit * share));
        return true;
      }),
      (err) => {
        if (meaningOf(err) !== "file_too_large") return false;
        services.host.log.warn({ err }, "Discord refused a result's size; trying a smaller one");
        return true;
      },
    );
    if (!taken) throw new TakesNoForm();
  }

  async #body({ receipt, opening }: Place, fileLimit: number): Promise<MessageBody> {
    const { services, files, view, signal } = this.#parts;
    this.#source ??= thumbnailOf(services, view.job);
    const parts = {
      host: services.host,
      say: this.#say,
      source: await this.#source,
      covered: view.spoiler,
      signal,
    };
    const { uploads, shown, links } = await enclose(parts, files, fileLimit);
    this.#links.push(...links);
    this.#shown = shown;
    const card = { services, say: this.#say, at: receipt, files: shown, opening };
    return { ...cardOf(card, shownAt(receipt, view)), ...uploads };
  }

  /** It waits among the person's jobs. @param why it is not shown */
  #waiting(receipt: DiscordReceipt, why: string): MessageBody {
    const { text, rows } = waitingMessage(this.#say, shownAt(receipt, this.#parts.view), why);
    return replacing(said(plain(text), componentsOf(rows)));
  }

  #keep(delivery: DiscordDelivery): Promise<void> {
    const { services, view } = this.#parts;
    return deliveriesIn(services.memory).keep(view.job.id, delivery);
  }

  async #end(progress: DiscordReceipt, body: MessageBody): Promise<void> {
    const { services, view } = this.#parts;
    await change(services, progress, () => body).catch((err: unknown) => {
      services.host.log.debug({ err, job: view.job.id }, "A job's progress could not be ended");
    });
  }
}
