import type { CommandSpec } from "../../../src/chat/fields.ts";
import { fillIn } from "../../../src/chat/offers.ts";
import { messageOf } from "../context/command-line.ts";
import type { UpdateContext } from "../context/context.ts";
import { startDraft } from "../drafts/start.ts";
import { checkPicture, pictureIn } from "../media/photo.ts";

/**
 * Starts a draft: the words are its text, and a picture that was sent along or replied to is its picture.
 * @throws ReelayError for a picture that can never be sent
 */
export async function beginOperation(
  context: UpdateContext,
  spec: CommandSpec,
  words: string,
): Promise<void> {
  const message = messageOf(context);
  const replied = message && "reply_to_message" in message ? message.reply_to_message : undefined;
  const shown = [message, replied].find((one) => one && pictureIn(one));
  const picture = shown && pictureIn(shown);
  if (picture) await checkPicture(context, picture);
  const values = fillIn(spec, { pictures: picture ? [picture] : [], sounds: [], ...(words && { words }) });
  await startDraft(shown ? answering(context, shown.message_id) : context, spec.name, values);
}

/** The same context, where what is made answers the picture. */
function answering({ origin, ...context }: UpdateContext, replyTo: number): UpdateContext {
  return { ...context, origin: { ...origin, address: { ...origin.address, replyTo } } };
}
