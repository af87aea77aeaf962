import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { ChatKey } from "./chat-queue.ts";

/** Other processes that post as the same bot: what a platform takes, it takes from all of them together. */
export interface Others {
  /** How much of the overall rate is this process's now, from 0 to 1. */
  readonly share: number;
  /** Tells them what is sent into a chat now. */
  tell(chat: ChatKey, messages: number): void;
  /** Calls back with what they send. Returns the way to stop it. */
  on(listener: (chat: ChatKey, messages: number) => void): () => void;
}

/** Where there are none. */
export const ALONE: Others = { share: 1, tell: () => {}, on: () => () => {} };

/**
 * Those that share a database. They hear of it a moment later: two that post into a chat in the same moment may be too fast together,
 * which the platform says then, and is heeded.
 * @param platform the surface's name
 */
export function othersOver(
  platform: string,
  bell: SurfaceHost["bell"],
  role: Pick<ReturnType<SurfaceHost["role"]>, "share">,
): Others {
  let told = 0;
  return {
    get share() {
      return role.share;
    },
    // A bell rings once for what is said twice.
    tell: (chat, messages) => bell.ring("sent", JSON.stringify([platform, chat, messages, told++])),
    on: (listener) =>
      bell.on("sent", (rung) => {
        if (rung === undefined) return;
        const [where, chat, messages] = JSON.parse(rung) as [string, ChatKey, number];
        if (where === platform) listener(chat, messages);
      }),
  };
}
