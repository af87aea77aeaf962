import type { ChatPermissions } from "telegraf/types";
import type { Problem } from "../../../src/seam/views.ts";
import { meaningOf } from "../api/errors.ts";
import { translator } from "../../../src/common/i18n.ts";
import { isGroup, type TelegramAddress } from "./address.ts";
import type { Services } from "./context.ts";

/** What a result may be posted as, the usual way first (API, ChatPermissions). */
const FORMS = {
  video: ["can_send_videos", "can_send_documents"],
  image: ["can_send_photos", "can_send_documents"],
} as const satisfies Record<string, readonly (keyof ChatPermissions)[]>;

/**
 * What the bot may not do in a group, so that a result could not be posted there: Telegram says it with no message. Where a link
 * leads to results, that can always be posted instead of a file. A topic that is closed is known by nothing but a refusal.
 * @returns undefined where nothing is known to stand in the way; `unknown` where Telegram does not tell
 */
export async function lackingFor(
  services: Pick<Services, "sender" | "bot" | "host">,
  to: TelegramAddress,
  result: keyof typeof FORMS,
): Promise<Problem | "unknown" | undefined> {
  const { host } = services;
  if (!isGroup(to)) return undefined;
  const rights = await rightsIn(services, to.chat);
  if (rights === "unknown") return rights;
  const { may, title } = rights;
  const forms = host.config.publicUrl === undefined ? FORMS[result] : [];
  const right =
    may.can_send_messages === false
      ? "can_send_messages"
      : forms.every((form) => may[form] === false)
        ? forms[0]
        : undefined;
  const say = translator(to.locale);
  return (
    right && {
      code: "group_right_missing",
      params: { permission: say(`telegram.right.${right}`), group: title },
    }
  );
}

/** What the bot may do in a group, as far as Telegram tells: those who manage it have every such right. */
async function rightsIn(
  { sender, bot }: Pick<Services, "sender" | "bot">,
  group: number,
): Promise<{ readonly may: ChatPermissions; readonly title: string } | "unknown"> {
  try {
    const [member, chat] = await Promise.all([
      sender.call("getChatMember", { chat_id: group, user_id: bot }, { once: true }),
      sender.call("getChat", { chat_id: group }, { once: true }),
    ]);
    const title = "title" in chat ? chat.title : "";
    if (member.status === "restricted") return { may: member, title };
    const isPlain = member.status === "member" && "permissions" in chat;
    return { may: (isPlain && chat.permissions) || {}, title };
  } catch (error) {
    if (meaningOf(error) === undefined) throw error;
    return "unknown";
  }
}
