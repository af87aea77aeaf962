import type { SurfaceLimits } from "../../../src/seam/surface/surface.ts";

const MIB = 2 ** 20;

/**
 * What WhatsApp takes, from the Cloud API's documentation
 * (https://developers.facebook.com/documentation/business-messaging/whatsapp). Lengths are in characters, sizes in bytes.
 */
export const WHATSAPP = {
  text: 4_096,
  /** Of what has buttons, and of what stands under a file. */
  body: 1_024,
  caption: 1_024,
  buttons: 3,
  buttonTitle: 20,
  rows: 10,
  rowTitle: 24,
  rowDescription: 72,
  /** How long a person may be spoken to after their last word, in milliseconds. */
  windowMs: 24 * 3_600_000,
  image: 5 * MIB,
  video: 16 * MIB,
  document: 100 * MIB,
  /** What plays as a video. */
  codecs: ["H.264", "AAC"],
  /** Messages a second, to all together. */
  perSecond: 80,
  /** To one person: so many may follow each other at once, and each counts for so long, in milliseconds. */
  burst: 45,
  perPersonMs: 6_000,
  /** How soon it is told how far a message has come, in milliseconds. */
  lostMs: 10_000,
} as const;

/** What WhatsApp takes, as the core sees it. */
export const LIMITS: SurfaceLimits = {
  maxUploadBytes: WHATSAPP.document,
  edit: "no",
  editIntervalMs: 10_000,
  windowMs: WHATSAPP.windowMs,
  text: WHATSAPP.text,
  buttons: WHATSAPP.buttons,
  rows: WHATSAPP.rows,
  video: { bytes: WHATSAPP.video, codecs: WHATSAPP.codecs },
};
