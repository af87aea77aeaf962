import { type Sheet, sheetOf } from "../../../src/chat/sheet.ts";
import type { Origin } from "../../../src/chat/surface.ts";
import type { MediaRef, UserId, Values } from "../../../src/chat/values.ts";
import type { Form } from "../../../src/chat/views.ts";
import { ReelayError } from "../../../src/errors.ts";
import type { InteractionContext } from "../context/context.ts";

/** Somebody in a conversation, whose interaction may be over. */
export type ChatContext = Omit<InteractionContext, "interaction">;

/** Something that a person is filling in, an operation or a form that the core asked: plain JSON. */
export interface Draft {
  /** The interaction that it began with. */
  readonly id: string;
  /** Only they can go on with it. */
  readonly owner: UserId;
  /** Whether what is made is theirs alone to see. */
  readonly secret: boolean;
  readonly operation?: string;
  readonly form?: Form;
  /** Files may still be Discord's; what is from a catalogue may be a name that was typed. */
  readonly values: Values;
}

/** Pictures that it is to be chosen for what is made of them. */
export interface Offered {
  /** The interaction that asked. */
  readonly id: string;
  readonly owner: UserId;
  /** Still Discord's. */
  readonly pictures: readonly MediaRef[];
}

/** What a draft fills in. @throws ReelayError `stale_button` for an operation that there is no more */
export function sheetFor({ intake }: Pick<ChatContext, "intake">, draft: Draft): Sheet {
  const sheet = sheetOf(draft, intake.commands);
  if (!sheet) throw new ReelayError("stale_button");
  return sheet;
}

/**
 * Where what comes of a draft goes. However often it is handed over, over restarts too, it makes one job: its request
 * is the interaction that it began with.
 */
export function originFor({ origin, address }: ChatContext, { id, secret }: Draft): Origin {
  return { ...origin, request: `discord:${id}`, address: { ...address, secret } };
}
