import type { Params } from "../../common/errors.ts";
import type { AlertKind } from "../../seam/access/alerts.ts";
import type { ChatId } from "../../seam/values.ts";
import type { AlertState } from "./alert.ts";
import type { AlertNews } from "./notice.ts";

/** How long is tried to tell it, in milliseconds: what was so long ago is nothing to act on. */
const KEPT_MS = 3 * 24 * 3_600_000;

/** One thing to be told in one chat. */
export interface KeptNotice {
  readonly id: string;
  readonly place: ChatId;
  readonly news: AlertNews;
  readonly params: Params;
  readonly at: number;
  /** When it may be told, in milliseconds since 1970. */
  readonly due: number;
  readonly failures: number;
}

/** What is kept of one condition. */
export interface KeptAlert extends AlertState {
  readonly kind: AlertKind | "test";
  readonly of: string | null;
  readonly params: Params;
  /** What chats are still to be told of it, oldest first. */
  readonly notices: readonly KeptNotice[];
}

/** One notice changed, or taken out. */
export function changing(kept: KeptAlert, id: string, change: Partial<KeptNotice> | "told"): KeptAlert {
  const notices = kept.notices.flatMap((notice) => {
    if (notice.id !== id) return [notice];
    return change === "told" ? [] : [{ ...notice, ...change }];
  });
  return { ...kept, notices };
}

/** What could not be told for days is told no more. */
export const withoutOld = (kept: KeptAlert, now: number): KeptAlert => ({
  ...kept,
  notices: kept.notices.filter(({ at }) => now - at < KEPT_MS),
});

/** What there is nothing more to say of goes. */
export const unlessDone = (kept: KeptAlert) => (kept.isOn || kept.notices.length > 0 ? kept : undefined);
