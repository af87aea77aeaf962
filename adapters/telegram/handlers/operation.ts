import type { CommandSpec } from "../../../src/seam/fields.ts";
import { startOperation } from "../../kit/drafts/start.ts";
import { answering } from "../../kit/pipeline/context.ts";
import { messageOf, repliedTo } from "../context/command-line.ts";
import type { UpdateContext } from "../context/context.ts";
import { drafts } from "../drafts/messages.ts";
import { pictureIn, videoIn } from "../media/files.ts";

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
  const shown = [message, repliedTo(message)].find((one) => one && (pictureIn(one) ?? videoIn(one)));
  const picture = shown && pictureIn(shown);
  const video = shown && !picture ? videoIn(shown) : undefined;
  // What is made answers the picture.
  const there = shown ? answering(context, { replyTo: shown.message_id }) : context;
  await startOperation(drafts, there, spec, { words, picture, video });
}
