import { partnerIdOf } from "../../seam/access/partners.ts";
import type { Origin } from "../../seam/origin.ts";
import { ReelayError } from "../../common/errors.ts";
import { type ChatId, type Platform, platformOf, type UserId } from "../../seam/values.ts";

/** Somebody, and the group they are in if it is one. */
export interface Subject {
  readonly user: UserId;
  readonly chat?: ChatId | null | undefined;
}

/** Platforms that only whoever runs Reelay can reach. */
const OWN_PLATFORMS: ReadonlySet<Platform> = new Set(["web", "cli"]);

/** Whether only whoever runs Reelay can reach a platform. */
export const isOwn = (platform: Platform) => OWN_PLATFORMS.has(platform);

/** Whether somebody is on the page or the command line: whoever runs Reelay. */
export function isOperator(user: UserId): boolean {
  return isOwn(platformOf(user));
}

/** Whether somebody may decide about what others made: whoever runs Reelay, and people whom they named. */
function mayModerate(user: UserId, operators: readonly string[]): boolean {
  return isOperator(user) || operators.includes(user);
}

/**
 * The group in which somebody decides about what others made; undefined for whoever runs Reelay: everywhere.
 * @throws ReelayError `not_operator`
 */
export function moderatedBy(
  { user, chat, moderates }: Pick<Origin, "user" | "chat" | "moderates">,
  operators: readonly string[],
): ChatId | undefined {
  if (mayModerate(user, operators)) return undefined;
  if (chat === undefined || moderates !== true) throw new ReelayError("not_operator");
  return chat;
}

/** Whether somebody may use Reelay: partners were let in by their tokens, others as {@link isNamed}. */
export function isInvited(subject: Subject, allowed: readonly string[]): boolean {
  return partnerIdOf(subject.user) !== undefined || isNamed(subject, allowed);
}

/**
 * Whether a list of the operator's names somebody or their group; the operator is always meant.
 * @param list `all`, people and chats
 */
export function isNamed({ user, chat }: Subject, list: readonly string[]): boolean {
  const isMeant = (name: string) => name === "all" || name === user || name === chat;
  return isOperator(user) || list.some(isMeant);
}
