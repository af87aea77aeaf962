import { entriesOfKind } from "../../../src/seam/browse/catalogues.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { step } from "../messages/buttons.ts";
import type { ChatContext } from "../pipeline/context.ts";

/** What the bot does and what to do first. */
export async function startView(context: ChatContext): Promise<NoticeView> {
  const actions = [
    step("photo", { key: "chat.start.photo" }),
    step("templates", { key: "chat.start.templates" }),
    ...((await lacksKey(context)) ? [step("connect", { key: "command.connect" })] : []),
    step("language", { key: "command.language" }),
    step("help", { key: "command.help" }),
  ];
  return { kind: "notice", text: { key: "chat.start" }, actions };
}

/** Whether nobody pays for this person yet. That the service cannot be reached is no reason to ask for a key. */
async function lacksKey(context: ChatContext): Promise<boolean> {
  try {
    await entriesOfKind(context, "templates");
    return false;
  } catch (error) {
    return error instanceof ReelayError && error.code === "not_connected";
  }
}
