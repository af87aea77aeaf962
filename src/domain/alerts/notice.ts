import type { Params } from "../../common/errors.ts";
import { messageKey } from "../../common/i18n.ts";
import type { AlertKind } from "../../seam/access/alerts.ts";
import type { Message } from "../../seam/views.ts";

/** What can be told of an alert; a `test` is told because somebody wants to see that it arrives. */
export type AlertNews = "began" | "over" | "test";

/** What is told: of which alert, and what it is filled with. */
export interface AlertNotice {
  readonly kind: AlertKind | "test";
  readonly news: AlertNews;
  readonly params: Params;
}

/** The sentence of a notice. */
export function sentenceFor({ kind, news, params }: AlertNotice): Message {
  return { key: messageKey(news === "over" ? `alert.${kind}.over` : `alert.${kind}`), params };
}
