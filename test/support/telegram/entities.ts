import type { MessageEntity } from "./wire.ts";

const MARKS: readonly (readonly [type: string, pattern: RegExp])[] = [
  ["bot_command", /(?<![\w/])\/\w+(?:@\w+)?/g],
  ["mention", /(?<![\w@/])@\w{4,}/g],
  ["url", /https?:\/\/[^\s]+/g],
];

/** What Telegram marks in a text that a person writes: commands, mentions and links. */
export function entitiesIn(text: string): MessageEntity[] {
  return MARKS.flatMap(([type, pattern]) =>
    [...text.matchAll(pattern)].map(({ 0: { length }, index: offset }) => ({ type, offset, length })),
  ).toSorted((a, b) => a.offset - b.offset);
}
