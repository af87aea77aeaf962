import type { FileView, NoticeView, ProgressView, View } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { translator } from "../../../src/common/i18n.ts";
import { forgetAsked } from "../../kit/results/asked-again.ts";
import { pingAction } from "../../kit/results/ping.ts";
import { deliverView, type MessageChannel, type SaidView } from "../../kit/messages/channel.ts";
import {
  isGroup,
  placeOf,
  receiptFor,
  type TelegramAddress,
  type TelegramReceipt,
  whereIs,
} from "../context/address.ts";
import { meaningOf } from "../api/errors.ts";
import type { Services } from "../context/context.ts";
import { uploadLimit } from "../media/upload.ts";
import { acknowledge } from "./acknowledge.ts";
import { inGroup } from "./moderated.ts";
import { withNames } from "./naming.ts";
import { editText, replaceText, sayAside, sendText, type TextView } from "./post-text.ts";
import { render, withKeyboard } from "./render.ts";
import { askedIn } from "./pointer.ts";
import { sendResult } from "./results.ts";
import { withRules } from "./rules.ts";
import { remove, takeBack, takePosted } from "./take-back.ts";

/** Posts a view. Parameters and errors as for `deliverView`. */
export const post = (services: Services, to: TelegramAddress, view: View, signal?: AbortSignal) =>
  deliverView(channelOf(services), to, view, signal);

/** What Telegram does with messages. */
export function channelOf(services: Services): MessageChannel<TelegramAddress, TelegramReceipt> {
  const { log } = services.host;
  return {
    log,
    async post(to, view) {
      const at = (await askedFrom(services, to, view)) ?? to;
      return send(
        services,
        at,
        decidable(at, view.kind === "notice" ? await withNames(services, view) : view),
      );
    },
    replace: (receipt, view) => replaceText(services, receipt, decidable(receipt, view)),
    showResult: (at, view, signal) => sendResult(services, at, view, signal),
    showsResult: async ({ form, job }) => form !== "text" || job !== undefined,
    takeBack: async (receipt, why) =>
      takeBack(services, receipt, decidable(receipt, await withNames(services, why))),

    // Nobody waits for an edit that shows how far a job is, least of all its result.
    async showProgress(receipt, view) {
      editText(services, receipt, withPing(receipt, view)).catch((err: unknown) => {
        log.debug({ err }, "A job's progress was not shown");
      });
    },
  };
}

/** Where whoever asked in private for a group's result is told what came of that: of one that was there before. */
async function askedFrom(
  services: Services,
  to: TelegramAddress | TelegramReceipt,
  view: SaidView,
): Promise<TelegramAddress | undefined> {
  const job = view.kind === "notice" ? view.about : "job" in to && view.kind === "problem" && view.job?.id;
  if (!job) return undefined;
  const asked = await askedIn(services, job, to);
  if (asked) await forgetAsked(services.memory, job, to.user);
  return asked;
}

/** A view as it is said to somebody who decides about a group's results, where they are told. */
const decidable = <V extends SaidView>({ moderated }: TelegramAddress, view: V): V =>
  moderated === undefined ? view : inGroup(moderated, view);

async function send(services: Services, to: TelegramAddress, view: SaidView): Promise<TelegramReceipt> {
  if (view.kind === "file") return sendFile(services, to, view);
  if (view.kind === "progress") {
    acknowledge(services, to);
    return sendText(services, to, withPing(to, view));
  }
  // The last word on a job: a delivery of it may have broken off before there was a receipt.
  if (view.kind === "notice" && view.job) await takePosted(services, view.job.id);
  if (to.rules && view.kind === "notice") return showRules(services, { ...to, rules: to.rules }, view);
  const aside = await sayAside(services, to, view);
  if (to.question === undefined) return aside ?? sendSaid(services, to, view);
  const question = receiptFor(to, { message: to.question, form: "text" });
  if (aside && (await remove(services, question))) return aside;
  return replaceText(services, question, view);
}

/** Says something; in private what a right is lacking for in a group, where the bot may say nothing there. */
async function sendSaid(
  services: Services,
  to: TelegramAddress,
  view: Exclude<TextView, ProgressView>,
): Promise<TelegramReceipt> {
  try {
    return await sendText(services, to, view);
  } catch (error) {
    const isLacking = view.kind === "problem" && view.problem.code === "group_right_missing";
    if (!isLacking || meaningOf(error) !== "unreachable") throw error;
    return sendText(services, privateOf(to), view);
  }
}

/** Offers beside how far a job is to be called when it is done; its result takes that place, which nobody is told of. */
function withPing({ user, chat }: TelegramAddress, view: ProgressView): ProgressView {
  const { job, phase, actions = [] } = view;
  if (phase === "sending") return view;
  const ping = pingAction(job, String(user ?? chat));
  return { ...view, actions: [...actions, ping] };
}

/** Shows a group's rules, in the place of those that were pressed. */
async function showRules(
  services: Services,
  to: TelegramAddress & Pick<Required<TelegramAddress>, "rules">,
  view: NoticeView,
): Promise<TelegramReceipt> {
  const { message } = to.rules;
  const whole = await withRules(services, to, view);
  if (message === undefined) return sendText(services, to, whole);
  return replaceText(services, receiptFor(to, { message, form: "text" }), whole);
}

/**
 * Posts a file for its person alone: in their private chat, also where it was asked for in a group.
 * @throws ReelayError `undeliverable` where they have no private chat with the bot; `media_too_large`
 */
async function sendFile(
  services: Services,
  address: TelegramAddress,
  view: FileView,
): Promise<TelegramReceipt> {
  const { name, content } = view.file;
  const place = privateOf(address);
  const source = Buffer.from(content);
  const max = uploadLimit(services);
  if (source.length > max) throw new ReelayError("media_too_large", { max });
  const { html, keyboard } = render(translator(place.locale), view);
  const sent = await services.sender.call(
    "sendDocument",
    {
      ...placeOf(place),
      document: { source, filename: name },
      disable_content_type_detection: true,
      caption: html,
      parse_mode: "HTML",
      ...withKeyboard(keyboard),
    },
    { chat: place.chat },
  );
  return receiptFor(place, { ...whereIs(sent), form: "media" });
}

function privateOf(address: TelegramAddress): TelegramAddress {
  const { user, locale } = address;
  if (!isGroup(address)) return address;
  if (user === undefined) throw new ReelayError("undeliverable");
  return { chat: user, locale };
}
