import type { ResultView } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import { waitingMessage } from "../../kit/results/show-result.ts";
import { isGroup, type TelegramAddress, type TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { editText, sendHtml } from "./post-text.ts";
import { mention, rendered } from "./render.ts";

/**
 * Says that a result which cannot be posted waits among its person's jobs: in the place of its progress; where that is gone,
 * as with a deleted topic, in their private chat; where the bot may not write there, among what the whole group reads. Never
 * fails.
 */
export async function sayUnposted(
  services: Services,
  at: TelegramAddress | TelegramReceipt,
  view: ResultView,
): Promise<void> {
  const ways = [inPlace, ...(isGroup(at) ? [inPrivate, inGeneral] : [])];
  for (const way of ways) {
    const isSaid = await way(services, at, view).catch((err: unknown) => {
      services.host.log.debug({ err, job: view.job.id }, "Where a result waits was not said in one place");
      return false;
    });
    if (isSaid) return;
  }
}

/** Says it at one place. @returns whether it is said there */
type Way = (services: Services, at: TelegramAddress | TelegramReceipt, view: ResultView) => Promise<boolean>;

const inPlace: Way = async (services, at) => {
  if (!("message" in at) || at.form !== "text") return false;
  const said = { kind: "notice", text: { key: "error.undeliverable" } } as const;
  return (await editText(services, at, said)) !== undefined;
};

const inPrivate: Way = async (services, { user, locale }, view) => {
  if (user === undefined) return false;
  const say = translator(locale);
  const message = waitingMessage(say, view, say("telegram.result_elsewhere"));
  await sendHtml(services, { chat: user, locale }, rendered(message));
  return true;
};

/** Without what somebody made: a forum's other topics may be for others. */
const inGeneral: Way = async (services, { chat, user, locale, topic }) => {
  if (user === undefined || topic === undefined) return false;
  const html = mention(user, translator(locale)("telegram.result_elsewhere"));
  await sendHtml(services, { chat, locale, user }, { html, keyboard: { inline_keyboard: [] } });
  return true;
};
