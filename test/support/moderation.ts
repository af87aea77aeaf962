import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import type { ModerationSettings } from "../../src/domain/policy/moderation/settings.ts";
import { serve } from "../infrastructure/api/server.ts";

/** What one request asked about. */
interface Asked {
  /** Its words; empty where there were none. */
  readonly text: string;
  /** The JPEG of its picture. */
  readonly picture: Buffer | undefined;
}

/** An endpoint on a real server. `await using` stops it. */
export interface TestModeration extends AsyncDisposable {
  readonly settings: ModerationSettings & { readonly key: string };
  /** What was asked and answered, in order. */
  readonly asked: readonly Asked[];
  /** How many requests came, refused ones too. */
  readonly requests: () => number;
  /** The most that were under way at once. */
  readonly most: () => number;
}

/** How it answers. */
interface ModerationOptions {
  /** Which categories something is flagged for; none by default. */
  readonly flag?: (asked: Asked) => readonly string[];
  /** What answers the first requests instead. */
  readonly first?: readonly RequestListener[];
  /** What is to be waited for before an answer. */
  readonly until?: Promise<unknown>;
  readonly settings?: Partial<ModerationSettings>;
}

const KEY = "sk-moderation-for-tests";
const MODEL = "omni-moderation-latest";

/** OpenAI's categories. The sexual one of minors is told from words alone, as are some others. */
const CATEGORIES = {
  harassment: ["text"],
  "harassment/threatening": ["text"],
  hate: ["text"],
  "hate/threatening": ["text"],
  illicit: ["text"],
  "illicit/violent": ["text"],
  "self-harm": ["text", "image"],
  "self-harm/instructions": ["text", "image"],
  "self-harm/intent": ["text", "image"],
  sexual: ["text", "image"],
  "sexual/minors": ["text"],
  violence: ["text", "image"],
  "violence/graphic": ["text", "image"],
} as const;

const DATA_URI = /^data:image\/(?:jpeg|png|webp|gif);base64,([A-Za-z0-9+/]+={0,2})$/;
const MAX_PICTURE_BYTES = 20 * 1024 * 1024;

const request = z.strictObject({
  model: z.string(),
  input: z
    .array(
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("text"), text: z.string().min(1) }),
        z.strictObject({
          type: z.literal("image_url"),
          image_url: z.strictObject({ url: z.string().regex(DATA_URI) }),
        }),
      ]),
    )
    .min(1),
});

/** An endpoint that refuses what OpenAI's refuses: keys, models, formats, and more than one picture. */
export async function openModeration(options: ModerationOptions = {}): Promise<TestModeration> {
  const { flag = () => [], first = [], until, settings } = options;
  const asked: Asked[] = [];
  let underWay = 0;
  let most = 0;

  async function moderate(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    await until;
    const { status, value } = answerTo(incoming, body, (one) => {
      asked.push(one);
      return flag(one);
    });
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  }

  const server = await serve(...first, (incoming, outgoing) => {
    most = Math.max(most, ++underWay);
    outgoing.once("close", () => void underWay--);
    void moderate(incoming, outgoing);
  });
  return {
    settings: {
      url: `${server.origin}/v1/moderations`,
      key: KEY,
      model: MODEL,
      whenDown: "closed",
      timeoutMs: 60_000,
      ...settings,
    } as TestModeration["settings"],
    asked,
    requests: () => server.requests.length,
    most: () => most,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function answerTo(
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  flag: (asked: Asked) => readonly string[],
): { status: number; value: object } {
  if (method !== "POST" || url !== "/v1/moderations") return refusal(404, "unknown_url", "Invalid URL");
  if (headers.authorization !== `Bearer ${KEY}`) return refusal(401, "invalid_api_key", "Incorrect API key");
  const { data } = request.safeParse(parsed(body));
  if (!data) return refusal(400, "invalid_value", "Invalid input");
  if (data.model !== MODEL) return refusal(404, "model_not_found", `The model ${data.model} does not exist`);
  const pictures = data.input.flatMap((item) => (item.type === "image_url" ? [item.image_url.url] : []));
  if (pictures.length > 1)
    return refusal(400, "too_many_images", `Number of images (${pictures.length}) exceeds maximum of 1`);
  const [picture] = pictures.map((uri) => Buffer.from(DATA_URI.exec(uri)?.[1] ?? "", "base64"));
  if (picture && picture.length > MAX_PICTURE_BYTES)
    return refusal(400, "image_too_large", "Image too large");
  const text = data.input.flatMap((item) => (item.type === "text" ? [item.text] : [])).join("\n");
  const types = [...(text ? ["text"] : []), ...(picture ? ["image"] : [])];
  return { status: 200, value: moderation(data.model, flag({ text, picture }), types) };
}

/** The answer in OpenAI's format. */
function moderation(model: string, flagged: readonly string[], types: readonly string[]): object {
  const names = Object.keys(CATEGORIES) as (keyof typeof CATEGORIES)[];
  const each = <T>(value: (name: (typeof names)[number]) => T) =>
    Object.fromEntries(names.map((name) => [name, value(name)]));
  return {
    id: `modr-${crypto.randomUUID()}`,
    model,
    results: [
      {
        flagged: flagged.length > 0,
        categories: { ...each(() => false), ...Object.fromEntries(flagged.map((name) => [name, true])) },
        category_scores: each((name) => (flagged.includes(name) ? 0.98 : 0.00001)),
        category_applied_input_types: each((name) => CATEGORIES[name].filter((type) => types.includes(type))),
      },
    ],
  };
}

function refusal(status: number, code: string, message: string): { status: number; value: object } {
  return { status, value: { error: { message, type: "invalid_request_error", param: null, code } } };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
