import { type Choices, drawn, usual } from "../liberties.ts";

/** What Discord's description leaves open, and bots must live with. */
export interface DiscordLiberties {
  /** Guild Member, "nick" and "avatar": optional and nullable. */
  readonly member: "null" | "absent" | "named";
  /** User, "global_name": nullable; "avatar_decoration_data", "flags" and others: optional. */
  readonly user: "named" | "bare";
  /** Interaction, "locale": one of Discord's, which become more, and not for a PING. */
  readonly locale: "known" | "unknown";
  /** Interaction, "channel", "guild", "guild_locale", "context": optional. */
  readonly isBare: boolean;
  /** Fields that later versions bring. */
  readonly hasNews: boolean;
  /** Whether a resumed connection repeats what was told: each interaction comes twice. */
  readonly repeatsInteractions: boolean;
  /** Attachment, "content_type", "width", "height": optional. */
  readonly attachment: "told" | "bare";
  /** Every so many interactions the connection breaks before they are told; they are told when it is resumed. */
  readonly dropEvery: number;
  /** Every so many messages of the bot's are refused with 429; none for 0. */
  readonly floodEvery: number;
  /** "retry_after": "in seconds", with fractions. */
  readonly retryAfter: number;
  /** Every so many edits are carried out, and their answers lost; none for 0. */
  readonly lostEditEvery: number;
  /** Every so many new messages are posted, and their answers lost; none for 0. */
  readonly lostPostEvery: number;
}

const CHOICES: Choices<DiscordLiberties> = {
  member: ["null", "absent", "named"],
  user: ["named", "bare"],
  locale: ["known", "unknown"],
  isBare: [false, true],
  hasNews: [false, true],
  repeatsInteractions: [false, true],
  attachment: ["told", "bare"],
  dropEvery: [0, 3],
  floodEvery: [0, 2, 5],
  retryAfter: [0.25, 0.003, 1],
  lostEditEvery: [0, 2, 3],
  lostPostEvery: [0, 2, 3],
};

/** What Discord does usually. */
export const USUAL: DiscordLiberties = usual(CHOICES);

/** What a Discord does by a seed. */
export const drawDiscord = (seed: number): DiscordLiberties => drawn(CHOICES, seed);
