import { offersFor } from "../../../src/seam/forms/offers.ts";
import { sheetOf } from "../../../src/seam/forms/sheet.ts";
import type { Address } from "../../../src/seam/values.ts";
import type { Form } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { BLANK, type Draft, draftOf, type NewDraft, originFor, withoutProblem } from "./draft.ts";
import { isKeyNext, nextOf } from "./next.ts";
import { draftPage, summaryOf } from "./page.ts";
import { offersPage } from "./page-offers.ts";
import type { DraftPage, Format } from "./page-parts.ts";
import { stateOf } from "./state.ts";
import { DraftStore } from "./store.ts";
import { type Pressed, submit } from "./submit.ts";

/** What a platform does for drafts of which each is one message with buttons. */
export interface DraftPlatform<C extends ChatContext> {
  readonly format: Format;
  /** Posts a page where the origin's address says. @returns how its draft is found again */
  post(context: C, page: DraftPage): Promise<Pick<Draft, "id" | "address">>;
  /**
   * Shows another page in a draft's message.
   * @param picture is to stand above it from now on
   * @returns whether the message was still there
   */
  edit(context: C, draft: Draft, page: DraftPage, picture?: Buffer): Promise<boolean>;
  /** Says that a draft was given up, where that cannot be shown in its message; left out where it can. */
  readonly sayGivenUp?: (context: C, line: string) => Promise<unknown>;
  /** What a draft's address has of its own once a picture stands above its page; left out where nothing changes. */
  readonly pictured?: (address: Address) => Address;
}

const CONNECTED = { key: "connect.done" } as const;

interface Look {
  readonly page: DraftPage;
  readonly isKeyless: boolean;
}

/** Drafts of which each is one message: shown, changed and ended there. */
export class DraftMessages<C extends ChatContext> {
  readonly platform: DraftPlatform<C>;

  constructor(platform: DraftPlatform<C>) {
    this.platform = platform;
  }

  /** Shows a new draft, in a message that answers what the person sent. */
  async open(context: C, begun: NewDraft): Promise<Draft> {
    const draft: Draft = { ...begun, id: "", owner: context.origin.user, address: {} };
    return this.#post(context, draft, await this.#lookAt(context, draft));
  }

  /** Asks for what a form wants, as a draft. */
  async collect(context: C, form: Form): Promise<void> {
    await this.open(context, draftOf(context, form));
  }

  /**
   * Shows a draft as it is now, in its message; in a new one where that is gone.
   * @param picture is to stand above it from now on
   */
  async show(context: C, draft: Draft, picture?: Buffer): Promise<void> {
    const { pictured } = this.platform;
    const shown = picture && pictured ? { ...draft, address: pictured(draft.address) } : draft;
    const look = await this.#lookAt(context, shown);
    if (await this.platform.edit(context, draft, look.page, picture)) return this.#keep(context, shown, look);
    if (picture) return this.show(context, draft);
    await new DraftStore(context.memory).drop(draft);
    await this.#post({ ...context, origin: originFor(context, draft) }, draft, look);
  }

  /**
   * Does something with a draft; what is wrong with it is told in the draft, which stays as it was.
   * @returns whether nothing was
   */
  async attempt(context: C, draft: Draft, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ReelayError)) throw error;
      const { code, params } = error;
      await this.show(context, { ...draft, problem: { code, params } });
      return false;
    }
  }

  /**
   * Shows the drafts that waited for a key as they are with one: each goes on where it stands. Where one asked for it, what
   * came of that is said there.
   * @param at the context of where a draft is
   */
  async goOn(context: C, at: (draft: Draft) => C): Promise<void> {
    const waiting = await new DraftStore(context.memory).keyless(context.origin.user);
    // Where each would be a message of its own, it is the newest.
    for (const draft of this.platform.sayGivenUp ? waiting.slice(-1) : waiting) {
      const asked = draft.screen.show === "key" && { screen: BLANK.screen, note: CONNECTED };
      await this.show(at(draft), { ...withoutProblem(draft), ...asked });
    }
  }

  /** Gives a draft up. */
  async cancel(context: C, draft: Draft): Promise<void> {
    await this.drop(context, [draft]);
    await this.platform.sayGivenUp?.(context, context.say("job.cancelled"));
  }

  /** Takes drafts away, of which all are stale before the first message shows it. */
  async drop(context: C, drafts: readonly Draft[]): Promise<void> {
    const store = new DraftStore(context.memory);
    await Promise.all(drafts.map((draft) => store.finish(draft, "given_up")));
    for (const draft of drafts) await this.#end(context, draft, context.say("job.cancelled"));
  }

  /** Hands a draft over: a line of it is left. Where it comes to nothing, the draft says why. */
  submit(context: C, draft: Draft, pressed?: Pressed): Promise<unknown> {
    return this.attempt(context, draft, async () => {
      const summary = summaryOf(this.platform.format, await stateOf(context, draft));
      await submit(context, draft, pressed);
      await new DraftStore(context.memory).noteUsed(draft);
      await this.#end(context, draft, summary);
    });
  }

  /** Leaves a line without buttons. */
  async #end(context: C, draft: Draft, line: string): Promise<void> {
    await this.platform.edit(context, draft, { text: line, rows: [] });
  }

  async #post(context: C, draft: Draft, look: Look): Promise<Draft> {
    const posted = { ...draft, ...(await this.platform.post(context, look.page)) };
    await this.#keep(context, posted, look);
    return posted;
  }

  async #keep(context: C, draft: Draft, { isKeyless }: Look): Promise<void> {
    const store = new DraftStore(context.memory);
    // Side by side they wait for the disk together.
    await Promise.all([
      store.keep(draft, sheetOf(draft, context.intake.commands)),
      store.makeCurrent(context.origin, draft),
      store.noteKeyless(draft, isKeyless),
    ]);
  }

  async #lookAt(context: C, draft: Draft): Promise<Look> {
    const { intake, memory, say } = context;
    const { format } = this.platform;
    if (sheetOf(draft, intake.commands)) {
      const state = await stateOf(context, draft);
      return { page: draftPage(format, state), isKeyless: isKeyNext(nextOf(state)) };
    }
    const offers = offersFor(intake.commands, draft.given);
    const last = await new DraftStore(memory).lastUsed(draft.owner);
    return { page: offersPage(format, say, draft, offers, last), isKeyless: false };
  }
}
