import { type Choices, drawn, usual } from "../liberties.ts";

/** What the Bot API's description leaves open, and bots must live with. */
export interface TelegramLiberties {
  /** User, "username" and "last_name": optional. */
  readonly isNamed: boolean;
  /** User, "language_code": optional, and any IETF tag. */
  readonly language: "known" | "none" | "unknown";
  /** Chat, "id": up to 52 significant bits. */
  readonly ids: "usual" | "long";
  /** Fields and kinds of updates that later versions bring. */
  readonly hasNews: boolean;
  /** Update, "update_id": "allows you to ignore repeated updates". */
  readonly repeatsUpdates: boolean;
  /** Update, "update_id": "restore the correct update sequence, should they get out of order". */
  readonly order: "kept" | "reversed";
  /** Update, "edited_message": "may at times be triggered by changes to message fields that are [...] not actively used". */
  readonly editsUnasked: boolean;
  /** getUpdates, "limit": up to so many at once, and there may be fewer. */
  readonly batch: number;
  /** CallbackQuery, "message": an InaccessibleMessage where the bot can no longer reach it. */
  readonly pressedMessage: "whole" | "inaccessible";
  /** File, "file_path": optional. */
  readonly filePath: "given" | "later";
  /** How long a link to a file is good: "at least 1 hour", but a file may be gone from the server that is asked. */
  readonly firstLink: "good" | "expired";
  /** Every so many calls that post or change something are refused with "retry_after"; none for 0. */
  readonly floodEvery: number;
  /** Every so many edits are carried out, and their answers lost, so that a repetition changes nothing; none for 0. */
  readonly lostEditEvery: number;
}

const CHOICES: Choices<TelegramLiberties> = {
  isNamed: [false, true],
  language: ["known", "none", "unknown"],
  ids: ["usual", "long"],
  hasNews: [false, true],
  repeatsUpdates: [false, true],
  order: ["kept", "reversed"],
  editsUnasked: [false, true],
  batch: [100, 1, 2],
  pressedMessage: ["whole", "inaccessible"],
  filePath: ["given", "later"],
  firstLink: ["good", "expired"],
  floodEvery: [0, 3, 7],
  lostEditEvery: [0, 2, 3],
};

/** What Telegram does usually. */
export const USUAL: TelegramLiberties = usual(CHOICES);

/** What a Telegram does by a seed. */
export const drawTelegram = (seed: number): TelegramLiberties => drawn(CHOICES, seed);
