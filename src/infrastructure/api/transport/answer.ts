import { RATE_LIMIT_MESSAGE } from "../../../common/contract.ts";
import { withoutLongStrings } from "./elide.ts";
import {
  type ApiError,
  BadRequest,
  type CallFailure,
  InsufficientTokens,
  lost,
  Maintenance,
  NoFreeSlot,
  NotFound,
  RateLimited,
  ServiceFailure,
  SubscriptionRequired,
  Unauthorized,
  Unsure,
} from "./errors.ts";
import { retryAfterMs } from "./retry.ts";
import { scrub } from "./scrub.ts";
import type { HttpReply } from "./transport.ts";

/** Longer strings in an answer are emptied: files in base64, nearly all of which have an address too. */
const MAX_STRING_BYTES = 256 * 1024;
/** No answer of the contract comes near this without its long strings; with them it is as much as one may hold. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** A JSON object of the service. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the service's answer.
 * @param key scrubbed from what the service says
 * @param maxStringBytes longer strings are emptied
 * @throws ApiError what the answer means: see {@link refusal}, or that it cannot be understood
 */
export async function readAnswer(
  reply: HttpReply,
  key: string,
  maxStringBytes = MAX_STRING_BYTES,
): Promise<Fields> {
  const refused = reply.status < 200 || reply.status > 299;
  const about = { status: reply.status, requestId: reply.requestId };
  let text: string | undefined;
  try {
    text = await readText(reply.body, maxStringBytes);
  } catch (cause) {
    // Of a refusal the status is left, without the service's word.
    if (!refused) throw lost(reply.paid, { ...about, cause });
  }
  const fields = parseObject(text);
  if (refused) throw refusal(reply, text === undefined ? undefined : (fields ?? {}), key);
  if (!fields) throw new (reply.paid ? Unsure : ServiceFailure)({ ...about, byService: false });
  return fields;
}

/**
 * What a refusal means. Every error of the service is a JSON object of a message and the status (section 7): all else, such as
 * a gateway's own JSON, is the word of something between, after which nobody knows what became of a submission, nor whether
 * a key or a job is known.
 * @param fields the answer, with nothing in it where it was no JSON object; undefined where it could not be read
 */
function refusal(
  { paid, status, headers, requestId }: HttpReply,
  fields: Fields | undefined,
  key: string,
): ApiError {
  const said = fields?.["error"];
  const isService = typeof said === "string" && Number(fields?.["code"]) === status;
  const message = isService ? scrub(said, key) : undefined;
  const failure: CallFailure = {
    status,
    requestId,
    message,
    byService: fields && isService,
    retryAfterMs: retryAfterMs(headers["retry-after"], Date.now()),
  };
  // A 500 may come after the charge; a 503 in the service's own words does not.
  const isVerdict =
    message !== undefined && ((status >= 400 && status < 500 && status !== 408) || status === 503);
  if (paid && !isVerdict) return new Unsure(failure);
  // Whoever says these two, it is to be asked less, or later.
  if (status === 429) return isSlotMessage(message) ? new NoFreeSlot(failure) : new RateLimited(failure);
  if (status === 503) return new Maintenance(failure);
  if (!isVerdict) return new ServiceFailure(failure);
  switch (status) {
    case 401:
      return new Unauthorized(failure);
    case 402:
      return new InsufficientTokens(failure);
    case 403:
      return new SubscriptionRequired(failure);
    case 404:
      return new NotFound(failure);
    default:
      return new BadRequest(failure);
  }
}

/** The two 429s differ only in their words (section 7); the slot one's are not shown. */
function isSlotMessage(message: string | undefined): boolean {
  return message !== undefined && message !== RATE_LIMIT_MESSAGE && /slot|concurren/i.test(message);
}

async function readText(body: AsyncIterable<Buffer>, maxStringBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of withoutLongStrings(body, maxStringBytes)) {
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) throw new RangeError("answer too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function parseObject(text: string | undefined): Fields | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    // Not kept as a cause: it quotes the text, which may hold anything.
    return undefined;
  }
}

/** Whether a value is an object rather than a list or a scalar. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
