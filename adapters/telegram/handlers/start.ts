import { entriesOfKind } from "../../../src/chat/browse/catalogues.ts";
import type { Action, Message } from "../../../src/chat/views.ts";
import { ReelayError } from "../../../src/errors.ts";
import { addressOf } from "../context/address.ts";
import { ownButton, type UpdateContext } from "../context/context.ts";
import { post } from "../messages/post.ts";
import { useLinked } from "./templates.ts";

/** The mark of buttons that run a command, or say how to send a photo. */
export const STEP = "s";

/** What a deep link to a template begins with. */
export const TEMPLATE_LINK = "t_";

/** What the deep link of a template carries. Telegram takes A-Z, a-z, 0-9, _ and -, at most 64 of them. */
export const templateLink = (code: string) => `${TEMPLATE_LINK}${code}`;

/** Says what the bot does and what to do first; a deep link goes straight there. */
export async function start(context: UpdateContext, words: string): Promise<void> {
  if (words.startsWith(TEMPLATE_LINK)) return useLinked(context, words.slice(TEMPLATE_LINK.length));
  const steps = [
    step("photo", { key: "telegram.start.photo" }),
    step("templates", { key: "telegram.start.templates" }),
    ...((await lacksKey(context)) ? [step("connect", { key: "command.connect" })] : []),
    step("language", { key: "command.language" }),
    step("help", { key: "command.help" }),
  ];
  await post(context, addressOf(context.origin.address), {
    kind: "notice",
    text: { key: "telegram.start" },
    actions: steps,
  });
}

/** A button that does what a command does. */
export function step(name: string, label: Message): Action {
  return { token: ownButton(STEP, name), label, style: "secondary" };
}

/** Whether nobody pays for this person yet. That the service cannot be reached is no reason to ask for a key. */
async function lacksKey(context: UpdateContext): Promise<boolean> {
  try {
    await entriesOfKind(context, "templates");
    return false;
  } catch (error) {
    return error instanceof ReelayError && error.code === "not_connected";
  }
}
