import { translator } from "../../../src/common/i18n.ts";
import { cut } from "../../../src/seam/text/cut.ts";
import type { Button } from "../../kit/messages/buttons.ts";
import {
  choiceId,
  type ChoiceRow,
  choicesOf,
  fewOf,
  MoreLeft,
  type Spoken,
  unitsOf,
} from "../../kit/messages/choices.ts";
import type { Payload } from "../api/client.ts";
import { meaningOf } from "../api/errors.ts";
import type { Services, WhatsAppAddress } from "../context/context.ts";
import { WHATSAPP } from "../api/limits.ts";

/** A file that WhatsApp has, as a part of a message. */
export interface Shown {
  readonly type: "video" | "image" | "document";
  readonly file: { readonly id: string; readonly filename?: string };
}

/** Who is told what. */
interface Posting {
  /** Whether it is how somebody's job ended: it goes before all else, and a template may tell that where they may not be spoken to. */
  readonly isEnd?: boolean;
  /** Under one name, one message is posted, also after a crash. It begins with what it is about: that replaces what is idle about it. */
  readonly name?: string | undefined;
  /** Whether it is no loss where it does not arrive, or somebody else sees to that. */
  readonly isSeenTo?: boolean;
  /** What nobody waits for is named so: a newer one of that name replaces it, and all else goes before. */
  readonly idle?: string;
  /** As `Paced.shows`. */
  readonly shows?: string;
}

/**
 * Posts a message to somebody who may be spoken to.
 * @returns its id
 * @throws ReelayError `undeliverable` where it has to wait for their next word, or they have another number now
 */
export async function post(
  services: Services,
  { chat, nth, until = 0, replyTo, locale }: WhatsAppAddress,
  payload: Payload,
  { isEnd = false, isSeenTo = false, name, idle, shows }: Posting = {},
): Promise<string> {
  await services.holders.check(chat, nth);
  const message = { ...payload, ...(replyTo !== undefined && { context: { message_id: replyTo } }) };
  const send = (once = name) =>
    services.api.post(chat, message, once, { isFirst: isEnd, idle, shows, message: name?.split(":")[0] });
  const posted = await services.windows.within(
    chat,
    until,
    () => (isSeenTo ? send() : services.arrivals.lately.post(send, name)),
    (error) => {
      const meaning = meaningOf(error);
      return meaning === "window" || meaning === "unreachable" ? meaning : undefined;
    },
    isEnd && services.host.config.whatsapp?.template ? () => tellByTemplate(services, chat) : undefined,
  );
  const ms = services.api.pauseToTell(chat);
  const pause = ms !== undefined && textPayload(translator(locale)("whatsapp.pause", { ms }));
  if (pause) await services.api.post(chat, pause, undefined, { isFirst: true }).catch(() => undefined);
  return posted;
}

/** Tells somebody by the operator's template that something waits for their next word. */
async function tellByTemplate({ api, host }: Services, chat: string): Promise<void> {
  const { name, language: code = "en" } = host.config.whatsapp?.template ?? {};
  await api
    .post(chat, { type: "template", template: { name, language: { policy: "deterministic", code } } })
    .catch((err: unknown) => host.log.warn({ err }, "Somebody could not be told by the template"));
}

/**
 * Shows on somebody's message how far what it asked for is; an empty one takes that away. Nobody waits for it: nowhere is it said that
 * such a message does not count as others do.
 */
export function react(
  services: Services,
  { replyTo, ...to }: WhatsAppAddress,
  emoji: "⏳" | "✅" | "",
): void {
  if (replyTo === undefined) return;
  const reaction = { message_id: replyTo, emoji };
  const posting = { isSeenTo: true, idle: `reaction:${replyTo}` };
  post(services, { ...to, until: Infinity }, { type: "reaction", reaction }, posting).catch((err: unknown) =>
    services.host.log.debug({ err }, "A reaction was not shown"),
  );
}

/** Says something; what is too long beside choices stands above them. @returns the message with the choices */
export async function say(
  services: Services,
  to: WhatsAppAddress,
  said: Spoken,
  posting?: Posting,
): Promise<string> {
  const { text, buttons } = said;
  if (buttons.length === 0) return post(services, to, textPayload(text), posting);
  const isLong = unitsOf(text) > WHATSAPP.body;
  if (isLong)
    await post(services, to, textPayload(text), {
      ...posting,
      name: posting?.name && `${posting.name}:above`,
    });
  const short = isLong ? { ...said, text: translator(to.locale)("whatsapp.choose") } : said;
  return choose(services, to, short, 0, posting);
}

/** Shows choices from one of them on. */
export async function choose(
  services: Services,
  to: WhatsAppAddress,
  said: Spoken,
  from: number,
  posting?: Posting,
): Promise<string> {
  const more = moreOf(said, to);
  const choices = choicesOf(said.buttons, WHATSAPP, { from, more: more.button });
  await more.keep(services.notes, to.chat);
  const body = { text: cut(said.text, WHATSAPP.body, unitsOf) };
  const action =
    choices.as === "buttons"
      ? { buttons: choices.buttons.map((one) => replyButton(said, one)) }
      : {
          button: translator(to.locale)("whatsapp.choose"),
          sections: [{ rows: choices.rows.map((row) => rowOf(said, row)) }],
        };
  const interactive = { type: choices.as === "buttons" ? "button" : "list", body, action };
  return post(services, to, { type: "interactive", interactive }, posting);
}

/** Posts a file that WhatsApp has, with what is said under it and can be chosen. */
export async function show(
  services: Services,
  to: WhatsAppAddress,
  { type, file }: Shown,
  said: Spoken,
  posting: Posting,
): Promise<string> {
  const text = cut(said.text, WHATSAPP.caption, unitsOf);
  if (said.buttons.length === 0) {
    return post(services, to, { type, [type]: { ...file, ...(text && { caption: text }) } }, posting);
  }
  const more = moreOf(said, to);
  const buttons = fewOf(said.buttons, WHATSAPP, more.button);
  await more.keep(services.notes, to.chat);
  const action = { buttons: buttons.map((one) => replyButton(said, one)) };
  const interactive = { type: "button", header: { type, [type]: file }, body: { text }, action };
  return post(services, to, { type: "interactive", interactive }, posting);
}

const textPayload = (text: string): Payload => ({
  type: "text",
  text: { body: cut(text, WHATSAPP.text, unitsOf), preview_url: false },
});

const replyButton = (said: Spoken, { token, text }: Pick<Button, "token" | "text">) => ({
  type: "reply",
  reply: { id: choiceId(said, token), title: text },
});

const rowOf = (said: Spoken, { token, ...row }: ChoiceRow) => ({ id: choiceId(said, token), ...row });

const moreOf = (said: Spoken, { locale }: WhatsAppAddress) =>
  new MoreLeft(said, translator(locale)("whatsapp.more"), translator(locale)("whatsapp.choose"));
