const KIB = 1024;
const MIB = 1024 * KIB;
const HOUR_MS = 3_600_000;

/**
 * What WhatsApp's Cloud API refuses, and from where it is known. "OpenAPI" is Meta's description of it (v23.0); the others are pages
 * of developers.facebook.com/docs/whatsapp/cloud-api. Lengths are UTF-16 code units, the strictest count of "characters"; times are
 * milliseconds.
 */
export const WHATSAPP_LIMITS = {
  /** OpenAPI, TextMessage `body`. */
  textLength: 4096,
  /** OpenAPI, BodyObject, HeaderObject, FooterObject. Later pages allow a list 4096 characters of body. */
  bodyLength: 1024,
  headerLength: 60,
  footerLength: 60,
  /** OpenAPI, ActionObject `buttons`. */
  buttons: 3,
  buttonTitle: 20,
  buttonId: 256,
  /** OpenAPI, ActionObject `button` and SectionObject; "Interactive list messages": ten rows over all sections. */
  listButton: 20,
  sections: 10,
  sectionTitle: 24,
  rows: 10,
  rowTitle: 24,
  rowDescription: 72,
  rowId: 200,
  /** OpenAPI, MediaObject `caption`. */
  captionLength: 1024,
  /** reference/messages, `biz_opaque_callback_data`. */
  opaqueLength: 512,
  /** reference/media, "Supported media types". */
  imageBytes: 5 * MIB,
  videoBytes: 16 * MIB,
  audioBytes: 16 * MIB,
  documentBytes: 100 * MIB,
  stickerBytes: 100 * KIB,
  animatedStickerBytes: 500 * KIB,
  /** reference/media, "Retrieve media URL": "valid for 5 minutes". */
  linkMs: 5 * 60_000,
  /** reference/media: what is uploaded stays 30 days; what people sent, seven. */
  uploadMs: 30 * 24 * HOUR_MS,
  receivedMs: 7 * 24 * HOUR_MS,
  /** "Customer service windows": from the last word of the person. */
  windowMs: 24 * HOUR_MS,
  /** "Throughput": messages a second of a number, in and out. */
  throughput: 80,
  throughputMs: 1000,
  /** "Pair rate limits": one message in six seconds to one person, of which 45 may be had in advance. */
  pairMs: 6000,
  pairBurst: 45,
  /** "Typing indicators": until an answer, at most so long. */
  typingMs: 25_000,
  /** "Webhooks": what has no 200 by then is sent again. The pages say no number; this is a usual one. */
  webhookMs: 10_000,
};

/** The limits one fake holds: the published ones unless a test sets others. */
export type WhatsappLimits = Readonly<typeof WHATSAPP_LIMITS>;
