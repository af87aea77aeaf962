import type { Liberties } from "./liberties.ts";

const SHORT = 40;

/** The prompt that the settings of a job show (section 2.7). */
export function settingsPrompt(sent: string, { settingsPrompt }: Liberties): string | null {
  switch (settingsPrompt) {
    case "sent":
      return sent;
    case "trimmed":
      return sent.trim();
    case "collapsed":
      return sent.trim().replaceAll(/\s+/g, " ");
    case "cut":
      return sent.slice(0, SHORT);
    case "null":
      return null;
    default:
      return settingsPrompt satisfies never;
  }
}
