import type { UserId } from "../../../src/chat/values.ts";
import type { Form } from "../../../src/chat/views.ts";
import type { TelegramAddress } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import type { NewDraft } from "./draft.ts";
import { openDraft } from "./message.ts";
import { chatContext } from "../context/chat-context.ts";

/** Asks for what a form wants, as a draft. It is its asker's own: in private the chat's, in a group the address's. */
export async function collect(services: Services, address: TelegramAddress, form: Form): Promise<void> {
  const owner: UserId = `telegram:${address.user ?? address.chat}`;
  const { id, values } = form;
  const isOperation = services.intake.commands.some(({ name, kind }) => name === id && kind === "operation");
  const draft: NewDraft = {
    ...(isOperation ? { operation: id } : { form }),
    given: { pictures: [], sounds: [] },
    values,
    screen: { show: "main" },
    seconds: {},
  };
  await openDraft(chatContext(services, owner, address), address, draft);
}
