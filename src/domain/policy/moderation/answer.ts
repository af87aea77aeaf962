import { z } from "zod";
import { beginning } from "../../../seam/text/cut.ts";

/** What an endpoint made of something. */
export type ModerationAnswer =
  | { readonly kind: "passed" }
  /** By its own names, at least one. */
  | { readonly kind: "flagged"; readonly categories: readonly string[] }
  | ModerationFailure;

/** Why there is no answer, in English for the operator; never with anything that was sent or answered. */
export interface ModerationFailure {
  /** `down`: it could not be asked. `busy`: it answers others. `unreadable`: what came back is not the format. */
  readonly kind: "down" | "busy" | "unreadable";
  readonly found: string;
  readonly advice: string;
  /** After how many milliseconds it may be otherwise. */
  readonly againInMs?: number | undefined;
}

/** What is flagged without a word of what it is. */
const UNNAMED = "other";

/** A path may hold names that the endpoint made up: enough of it to find the place. */
const MAX_PATH = 80;

/** Only what is used: OpenAI-compatible endpoints differ in the rest. Categories may be null (openai-python#1786). */
const format = z.object({
  results: z
    .array(z.object({ flagged: z.boolean(), categories: z.record(z.string(), z.boolean().nullable()) }))
    .min(1),
});

/**
 * Reads an answer in OpenAI's moderation format. Only its flags count, whichever of them: nothing passes that a
 * category is flagged of.
 */
export function readAnswer(text: string): ModerationAnswer {
  const value = parsed(text);
  if (value === undefined) return notTheFormat("not JSON");
  const { data, error } = format.safeParse(value);
  if (!data) return notTheFormat(placeOf(error));
  const categories = data.results.flatMap((result) => {
    const named = Object.keys(result.categories).filter((name) => result.categories[name] === true);
    return result.flagged && named.length === 0 ? [UNNAMED] : named;
  });
  return categories.length > 0 ? { kind: "flagged", categories } : { kind: "passed" };
}

/** An answer that an endpoint of this format does not give. */
export function notTheFormat(found: string): ModerationFailure {
  const advice =
    "REELAY_MODERATION_URL must lead to an endpoint that answers as OpenAI's /v1/moderations does, also about pictures.";
  return { kind: "unreadable", found, advice };
}

/** Undefined for what is no JSON: the error is not kept, because it quotes the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What does not fit first, and where. */
function placeOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.map(String).join(".") ?? "";
  return `${beginning(path, MAX_PATH) || "the answer"}: ${issue?.message}`;
}
