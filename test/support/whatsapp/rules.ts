import type { WhatsappLimits } from "./limits.ts";
import { invalid, missing, Refusal } from "./refusal.ts";
import type { FileKind } from "./media.ts";
import type { ActionObject, FileObject, InteractiveObject, MessageBody } from "./wire.ts";

/** The kinds of messages that are a file. */
export const FILE_KINDS = [
  "image",
  "video",
  "audio",
  "document",
  "sticker",
] as const satisfies readonly FileKind[];

const USER_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/;

/**
 * Checks a message against everything that needs no look at who it is for.
 * @throws Refusal for the first thing that is wrong
 */
export function checkMessage(body: MessageBody, limits: WhatsappLimits): void {
  if (body.messaging_product !== "whatsapp")
    throw new Refusal(100, "Param messaging_product must be 'whatsapp'");
  if (body.recipient_type === "group") throw new Refusal(131051, "The fake offers no groups");
  // A phone number with or without its plus sign.
  if (body.to !== undefined || body.recipient === undefined) {
    if (!/^\+?\d{6,15}$/.test(body.to ?? "")) throw new Refusal(100, "Param to must be a phone number");
  } else if (!USER_ID.test(body.recipient)) throw new Refusal(100, "Param recipient must be a user's id");
  within("biz_opaque_callback_data", body.biz_opaque_callback_data, limits.opaqueLength);
  if (body.type === "text") worded("text['body']", body.text?.body, limits.textLength);
  if (body.type === "reaction" && body.context) throw invalid("A reaction is no reply");
  if (body.type === "interactive" && body.interactive) checkInteractive(body.interactive, limits);
  for (const kind of FILE_KINDS) if (body.type === kind) checkFile(kind, body[kind], limits);
}

function checkFile(kind: FileKind, file: FileObject | undefined, { captionLength }: WhatsappLimits): void {
  if (!file) throw missing(kind);
  if ((file.id === undefined) === (file.link === undefined))
    throw new Refusal(100, `Param ${kind} must have either id or link`);
  if (file.link !== undefined && !/^https?:\/\//.test(file.link))
    throw new Refusal(100, `Param ${kind}['link'] is not a valid URL`);
  if (file.caption !== undefined && (kind === "audio" || kind === "sticker"))
    throw new Refusal(100, `Unexpected key "caption" on param "${kind}"`);
  if (file.filename !== undefined && kind !== "document")
    throw new Refusal(100, `Unexpected key "filename" on param "${kind}"`);
  within(`${kind}['caption']`, file.caption, captionLength);
}

function checkInteractive(message: InteractiveObject, limits: WhatsappLimits): void {
  const { type, header, body, footer, action } = message;
  worded("interactive['body']['text']", body?.text, limits.bodyLength);
  if (header?.type === "text") worded("interactive['header']['text']", header.text, limits.headerLength);
  if (header && header.type !== "text" && type === "list") throw invalid("The header of a list is a text");
  if (footer) worded("interactive['footer']['text']", footer.text, limits.footerLength);
  if (type === "button") checkButtons(action, limits);
  else if (type === "list") checkList(action, limits);
  else throw new Refusal(131051, `The fake has no interactive ${type}`);
}

function checkButtons({ buttons = [] }: ActionObject, limits: WhatsappLimits): void {
  if (buttons.length === 0 || buttons.length > limits.buttons)
    throw invalid(`Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: ${limits.buttons}`);
  for (const { reply } of buttons) {
    label("Button title", reply.title, limits.buttonTitle);
    identifier("Button id", reply.id, limits.buttonId);
  }
  unique(
    "Button ids",
    buttons.map(({ reply }) => reply.id),
  );
  unique(
    "Button titles",
    buttons.map(({ reply }) => reply.title),
  );
}

function checkList({ button, sections = [] }: ActionObject, limits: WhatsappLimits): void {
  label("List button", button, limits.listButton);
  if (sections.length === 0 || sections.length > limits.sections)
    throw invalid(`Invalid sections count. Max allowed sections: ${limits.sections}`);
  for (const { title, rows = [] } of sections) {
    if (sections.length > 1 || title !== undefined) label("Section title", title, limits.sectionTitle);
    if (rows.length === 0) throw invalid("A section must have a row");
  }
  const rows = sections.flatMap((section) => section.rows ?? []);
  if (rows.length > limits.rows) throw invalid(`Total row count exceed max allowed count: ${limits.rows}`);
  for (const row of rows) {
    label("Row title", row.title, limits.rowTitle);
    identifier("Row id", row.id, limits.rowId);
    if (row.description !== undefined) label("Row description", row.description, limits.rowDescription);
  }
  unique(
    "Row ids",
    rows.map(({ id }) => id),
  );
}

function within(what: string, text: string | undefined, most: number): void {
  if (text !== undefined && text.length > most)
    throw new Refusal(100, `Param ${what} must be at most ${most} characters long.`);
}

function worded(what: string, text: string | undefined, most: number): void {
  if (text === undefined || text.trim() === "") throw missing(what);
  within(what, text, most);
}

/** What stands on something that is pressed: one line. */
function label(what: string, text: string | undefined, most: number): void {
  if (text === undefined || text.trim() === "") throw missing(what);
  if (text.length > most) throw invalid(`${what} length invalid. Min length: 1, Max length: ${most}`);
  if (/[\n\r]/.test(text)) throw invalid(`${what} must be one line`);
}

function identifier(what: string, id: string, most: number): void {
  if (id.length === 0 || id.length > most)
    throw invalid(`${what} length invalid. Min length: 1, Max length: ${most}`);
  if (id.trim() !== id) throw invalid(`${what} must have no spaces around it`);
}

function unique(what: string, values: readonly string[]): void {
  if (new Set(values).size < values.length) throw invalid(`${what} must be unique`);
}
