import { callbackQuery } from "telegraf/filters";
import type { Update } from "telegraf/types";
import { ownPart } from "../../../src/seam/text/actions.ts";
import type { View } from "../../../src/seam/views.ts";
import type { ChatContext, ChatServices } from "../../kit/pipeline/context.ts";
import type { HandlerFor } from "../../kit/pipeline/handler.ts";
import type { Sender } from "../api/telegraf-sender.ts";
import type { BusyAlbums } from "./albums.ts";

/** What every part of the adapter works with. */
export interface Services extends ChatServices {
  readonly sender: Sender;
  /** The bot's own id. */
  readonly bot: number;
  /** Its name, without @. */
  readonly username: string;
  /** The presses that wait to be answered by what is said to whoever pressed alone, each with what else is done when that is said. */
  readonly presses: Map<string, (view: View) => void>;
  readonly albums: BusyAlbums;
}

/** One update of a person, with everything needed to handle it. */
export interface UpdateContext extends Services, ChatContext {
  readonly update: Update;
}

/** Handles an update, or leaves it to the next handler. */
export type Handler = HandlerFor<UpdateContext>;

/** What a pressed button carries. */
export function tokenOf({ update }: Pick<UpdateContext, "update">): string | undefined {
  return isPress(update) ? update.callback_query.data : undefined;
}

const isPress = callbackQuery("data");

/** The rest of a button's data, if it is this handler's. */
export const pressedOf = (context: UpdateContext, handler: string) => ownPart(tokenOf(context), handler);
