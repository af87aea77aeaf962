import type { ErrorCode, Params } from "../../../common/errors.ts";
import { hasMessage } from "../../../common/i18n.ts";
import type { ModerationSettings } from "./settings.ts";

/** What came of an examination. */
export type ModerationVerdict =
  | Unflagged
  /** Words or pictures were flagged, by the endpoint's own names; `rest` is what came of everything else. */
  | {
      readonly kind: "flagged";
      readonly words: readonly string[];
      readonly pictures: readonly string[];
      readonly rest: Unflagged;
    };

/** What came of it, where nothing was flagged; of several things the worst. */
export type Unflagged =
  | { readonly kind: "passed" }
  /** It could not be asked. */
  | { readonly kind: "down" }
  /** It answered others meanwhile. */
  | { readonly kind: "busy" }
  /** It answered something that is not the format. */
  | { readonly kind: "unreadable" }
  /** A picture could not be shown to it: what the person is told. */
  | { readonly kind: "unseen"; readonly code: ErrorCode; readonly params: Params };

/** Under what circumstances something was examined. */
export interface Circumstances {
  /** Whether a mature template was chosen in a place that allows it. */
  readonly mature: boolean;
  readonly whenDown: ModerationSettings["whenDown"];
}

/** A reason to refuse something. */
interface Reason {
  readonly code: ErrorCode;
  readonly params: Params;
}

/** What words may be where mature things may be. A photo that is sexual already may be of somebody too young. */
const MATURE = "sexual";

/**
 * Why something is refused after an examination; undefined where it may pass. An outage may be a reason or none, as the
 * operator wishes. An endpoint that answers something else never lets anything pass: that is a mistake of the settings.
 * Nor does a picture that could not be shown, or what an endpoint that answers had no time for: people who give it slowly,
 * or much at once, would switch the examination off.
 */
export function judge(verdict: ModerationVerdict, circumstances: Circumstances): Reason | undefined {
  switch (verdict.kind) {
    case "passed":
      return undefined;
    case "flagged":
      return circumstances.mature && isMatureAtMost(verdict)
        ? judge(verdict.rest, circumstances)
        : {
            code: "moderation_refused",
            params: { categories: wordsFor([...verdict.words, ...verdict.pictures]) },
          };
    case "down":
      return circumstances.whenDown === "closed" ? { code: "moderation_down", params: {} } : undefined;
    case "busy":
    case "unreadable":
      return { code: "moderation_down", params: {} };
    case "unseen":
      return { code: verdict.code, params: verdict.params };
    default:
      return verdict satisfies never;
  }
}

function isMatureAtMost({ words, pictures }: Extract<ModerationVerdict, { kind: "flagged" }>): boolean {
  return pictures.length === 0 && words.every((category) => category === MATURE);
}

/** The endpoint's names as ours, each `moderation.<name>` in `locales/`; a general one for those we do not know. */
function wordsFor(categories: readonly string[]): string {
  const names = categories
    .map((category) => category.replaceAll(/\W/g, "_"))
    .map((name) => (hasMessage(`moderation.${name}`) ? name : "other"));
  return [...new Set(names)].join(", ");
}
