import type { Readable } from "node:stream";
import type { Update } from "telegraf/types";
import { ownToken } from "../../../src/chat/actions.ts";
import type { ClerkFor } from "../../../src/chat/handler.ts";
import type { SurfaceHost } from "../../../src/chat/host.ts";
import type { Intake, Memory, Origin } from "../../../src/chat/surface.ts";
import type { MediaRef } from "../../../src/chat/values.ts";
import type { Translate } from "../../../src/i18n.ts";
import type { Sender } from "../api/sender.ts";

/** What every part of the adapter works with. */
export interface Office {
  readonly host: SurfaceHost;
  readonly sender: Sender;
  /** The adapter's own state; survives restarts. */
  readonly memory: Memory;
  readonly intake: Intake;
  /** The bot's own name, without @. */
  readonly username: string;
  /** The ids of presses that wait to be answered by what is said to whoever pressed alone. */
  readonly presses: Set<string>;
  /** Opens a file that a person sent, or that was made for them. @throws ReelayError `media_gone`, `media_too_large` */
  openMedia(ref: MediaRef): Promise<Readable>;
}

/** One update of a person, with everything needed to deal with it. */
export interface Visit extends Office {
  readonly update: Update;
  readonly origin: Origin;
  readonly say: Translate;
}

/** Deals with an update. */
export type Clerk = ClerkFor<Visit>;

/** What a button of the adapter itself carries. Tokens without the mark are the core's (`Intake.act`). */
export { ownToken as ownButton } from "../../../src/chat/actions.ts";

/** The rest of a button's data, if it is this clerk's. */
export function pressedOf({ update }: Visit, clerk: string): string | undefined {
  const data =
    "callback_query" in update && "data" in update.callback_query ? update.callback_query.data : undefined;
  const mark = ownToken(clerk, "");
  return data?.startsWith(mark) ? data.slice(mark.length) : undefined;
}
