import { quote } from "../input/quote.ts";
import type { CliEvent } from "../output/events.ts";

/**
 * The call that gives what an event shows only once: the same call would do it a second time, or is refused now.
 * @param argv what the event came of
 * @returns undefined for what the same call shows again
 */
export function callAgain(event: CliEvent, argv: readonly string[]): string | undefined {
  switch (event.event) {
    case "partner":
      return event.token === undefined
        ? undefined
        : lineOf(["partner", "token", event.partner.id, ...termsIn(argv)]);
    case "token":
      return lineOf(["partner", "token", event.partner, ...termsIn(argv)]);
    case "operator_link":
      return lineOf(["operators", "link", event.operator.id]);
    case "callback_secret":
      // The new one is shown by whoever asks for none.
      return event.renewed ? lineOf(argv.filter((word) => !word.startsWith("--"))) : undefined;
    default:
      return undefined;
  }
}

const lineOf = (words: readonly string[]) => ["reelay", ...words].map(quote).join(" ");

/** What a call says of the token that it makes. What else it says is not repeated: a key may be among it. */
function termsIn(argv: readonly string[]): readonly string[] {
  return argv.flatMap((word, nth) => {
    if (word === "--test" || /^--(scopes|expires)=/.test(word)) return [word];
    return word === "--scopes" || word === "--expires" ? argv.slice(nth, nth + 2) : [];
  });
}
