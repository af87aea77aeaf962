import type { ResultView } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import { wordsOf } from "../../kit/results/words.ts";
import { isGroup, type TelegramAddress } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { covered, escapeHtml, mention, type Rendered, render } from "./render.ts";

/**
 * What is said under a result. Where others read along: who asked for it, their words behind a tap, and not what they have
 * left. The picture that it is made of is in the message that it answers.
 */
export async function cardOf(
  services: Pick<Services, "sender" | "intake" | "host">,
  at: TelegramAddress,
  view: ResultView,
): Promise<Rendered> {
  const say = translator(at.locale);
  if (!isGroup(at)) return render(say, view);
  const { html, keyboard } = render(say, { ...view, balance: null });
  const [name = "", ...facts] = html.split("\n");
  const words = wordsOf(services.intake, say, view.job);
  // A result that an operator looks at has none of its owner's buttons: they did not ask for it.
  const who = view.actions.length > 0 ? await nameOf(services, at) : undefined;
  const lines = [
    name,
    ...(words === "" ? [] : [covered(words)]),
    ...facts,
    ...(who === undefined ? [] : [`${escapeHtml(say("report.whose"))}: ${who}`]),
  ];
  return { html: lines.join("\n"), keyboard };
}

/** Who asked, as a mention: asked for now, so that no name is kept. Undefined where Telegram does not tell. */
async function nameOf(
  { sender, host }: Pick<Services, "sender" | "host">,
  { chat, user }: TelegramAddress,
): Promise<string | undefined> {
  if (user === undefined) return undefined;
  try {
    const member = await sender.call("getChatMember", { chat_id: chat, user_id: user });
    return mention(user, member.user.first_name);
  } catch (err) {
    host.log.debug({ err }, "Telegram did not tell who asked for a result");
    return undefined;
  }
}
