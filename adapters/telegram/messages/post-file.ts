import type { FileView } from "../../../src/chat/views.ts";
import { ReelayError } from "../../../src/errors.ts";
import { translator } from "../../../src/i18n.ts";
import type { TelegramAddress, TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { withKeyboard } from "./keyboard.ts";
import { placeOf, receiptFor } from "../context/place.ts";
import { render } from "./render.ts";
import { uploadLimit } from "../media/upload.ts";

/**
 * Posts a file for its person alone: in their private chat, also where it was asked for in a group.
 * @throws ReelayError `undeliverable` where they have no private chat with the bot; `media_too_large`
 */
export async function sendFile(
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
  const { message_id: message } = await services.sender.call(
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
  return receiptFor(place, { message, form: "media" });
}

/** Groups have negative ids. */
function privateOf(address: TelegramAddress): TelegramAddress {
  const { chat, user, locale } = address;
  if (chat > 0) return address;
  if (user === undefined) throw new ReelayError("undeliverable");
  return { chat: user, locale };
}
