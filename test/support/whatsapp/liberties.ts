import { type Choices, drawn, usual } from "../liberties.ts";

/** What the Cloud API's description and pages leave open, and applications must live with. */
export interface WhatsappLiberties {
  /** "Webhooks": "we may deliver more than once". */
  readonly repeatsWebhooks: boolean;
  /** Nothing promises that webhooks come in order: those that wait together may come in any. */
  readonly order: "kept" | "reversed";
  /** Up to so many notices in one webhook. "Webhooks": aggregated up to 1000 updates, "cannot be guaranteed". */
  readonly batch: number;
  /** Whether those of one webhook are in one change, in changes of one entry, or in entries. */
  readonly packing: "messages" | "changes" | "entries";
  /** How long webhooks take, in the fake's milliseconds. */
  readonly delayMs: number;
  /** Whether statuses come after the answer of the call that sent the message, before it, or not at all. */
  readonly statuses: "after" | "before" | "none";
  /** "read" comes only where the person tells; "sent" may be left out where "delivered" is at once. */
  readonly told: "all" | "some";
  /** "Error codes": errors come "synchronously, asynchronously via webhook, or sometimes through both". */
  readonly refuses: "later" | "at once";
  /** `error_data` and `error_subcode` are not always there. */
  readonly errorBody: "full" | "bare" | "subcode";
  /** What is too fast is 400 by the pages, and 429 by the Graph API's. */
  readonly floodStatus: 400 | 429;
  /** Every so many messages are refused as too fast; none for 0. */
  readonly floodEvery: number;
  /** Every so many messages are sent, and the answers lost; none for 0. */
  readonly lostPostEvery: number;
  /** How an answer is lost: with the connection, or as a failure of WhatsApp's, which nowhere is said to mean that nothing was sent. */
  readonly lostBy: "reset after" | "internal after";
  /** Fields and kinds of notices that later versions bring. */
  readonly hasNews: boolean;
  /**
   * Who has a username may hide their number ("Business-scoped user IDs"): an id stands for them then, which is told beside
   * every number as well. A business that they wrote to lately may be told the number all the same.
   */
  readonly numbers: "shown" | "hidden" | "now and then";
  /** A `contacts` entry holds a profile, whose name people choose. */
  readonly name: "plain" | "odd";
  /** `file_size` is a text in the description, and a number on the pages' examples. */
  readonly fileSize: "number" | "text";
  /** A link to a file may be gone when it is first used. */
  readonly firstLink: "good" | "expired";
  /** The pages give a film 16 MB as a video and any file 100 MB as a document, and do not say what an upload of a larger film is. */
  readonly largeFilm: "taken" | "refused";
}

const CHOICES: Choices<WhatsappLiberties> = {
  repeatsWebhooks: [false, true],
  order: ["kept", "reversed"],
  batch: [1, 3],
  packing: ["messages", "changes", "entries"],
  delayMs: [0, 40],
  statuses: ["after", "before", "none"],
  told: ["all", "some"],
  refuses: ["later", "at once"],
  errorBody: ["full", "bare", "subcode"],
  floodStatus: [400, 429],
  floodEvery: [0, 3, 7],
  lostPostEvery: [0, 5],
  lostBy: ["reset after", "internal after"],
  hasNews: [false, true],
  numbers: ["shown", "hidden", "now and then"],
  name: ["plain", "odd"],
  fileSize: ["number", "text"],
  firstLink: ["good", "expired"],
  largeFilm: ["taken", "refused"],
};

/** What WhatsApp does usually. */
export const USUAL: WhatsappLiberties = usual(CHOICES);

/** What a WhatsApp does by a seed. */
export const drawWhatsapp = (seed: number): WhatsappLiberties => drawn(CHOICES, seed);
