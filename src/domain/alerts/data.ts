import type { Json } from "../../common/json.ts";
import { type Locale, translator } from "../../common/i18n.ts";
import { type AlertNotice, sentenceFor } from "./notice.ts";

/**
 * What an address is told of an alert.
 * @param since when it began, in milliseconds since 1970, whatever breaks it took since that did not end it
 */
export function dataOf(notice: AlertNotice, since: number, locale: Locale): Json {
  const { key, params } = sentenceFor(notice);
  return {
    alert: notice.kind,
    since: new Date(since).toISOString(),
    text: translator(locale)(key, params),
    ...notice.params,
  };
}
