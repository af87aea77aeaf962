import { Moderator, type ModeratorParts } from "./moderator.ts";
import { moderatedResults } from "./results.ts";
import type { ModerationSettings } from "./settings.ts";

/** What moderates requests, and results. */
export type Moderation = ReturnType<typeof openModeration>;

/** Has a service of the operator's look at requests and results; loaded only where there is one. */
export function openModeration(settings: ModerationSettings, parts: ModeratorParts) {
  const moderator = new Moderator(settings, parts);
  return { moderator, examiner: moderatedResults(moderator, settings) };
}
