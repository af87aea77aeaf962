/** What differs from run to run, and what stands for it. */
const VARIES: readonly (readonly [RegExp, string])[] = [
  [/\btook \d+ (?:sec|min)\b/g, "took 12 sec"],
  [/[A-Z][a-z]{2} \d+, \d{4}, \d+:\d+\s[AP]M/g, "Jan 2, 2030, 3:04 PM"],
  [/#in=[\w.-]+/g, "#in=…"],
  [/channels\/\d+\/\d+\/\d+/g, "channels/123/456/789"],
  [/<t:\d+:R>/g, "12 seconds ago"],
  [/<t:\d+(?::\w)?>/g, "Jan 2, 2030, 3:04 PM"],
  [/\b(telegram|discord|whatsapp):-?\d+(?:\/-?\d+)?/g, "$1:123456789"],
];

/** A text without what depends on the clock, and on ids. */
export const settled = (text: string): string =>
  VARIES.reduce((said, [varies, instead]) => said.replaceAll(varies, instead), text);
