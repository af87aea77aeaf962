import { ReelayError } from "../../common/errors.ts";
import type { Values } from "../values.ts";
import type { NoticeView } from "../views.ts";
import { type Kind, readPlace } from "./place.ts";
import {
  type Browser,
  type BrowsedEntry,
  entryOf,
  splitCode,
  type Use,
  type Variant,
  variantsOf,
} from "./catalogues.ts";
import { viewOf } from "./view.ts";

/** What a button of the catalogue leads to: another place in it, a question for words, or something to make. */
export type PageTurn =
  | { readonly to: "place"; readonly view: NoticeView }
  | { readonly to: "search"; readonly kind: Kind }
  | { readonly to: "operation"; readonly start: BrowseStart };

/** An operation with what is chosen for it already. */
export interface BrowseStart {
  readonly operation: string;
  readonly values: Values;
}

/**
 * Presses a button of the catalogue.
 * @param pressed what stands behind the buttons' mark
 * @throws ReelayError `stale_button` when what it names is gone; others when the service does not tell
 */
export async function turn(browser: Browser, pressed: string): Promise<PageTurn> {
  const kind = searched(pressed);
  if (kind) return { to: "search", kind };
  const [what, operation = "", code = ""] = pressed.split(".");
  if (what === "u") return { to: "operation", start: await use(browser, operation, code) };
  const place = readPlace(pressed);
  if (!place) throw new ReelayError("stale_button");
  return { to: "place", view: await viewOf(browser, place) };
}

/** Whether a button leads out of the catalogue: to a question for words, or to what is to be made. */
export const leadsOut = (pressed: string) => /^[qu]\./.test(pressed);

/** What is to be searched after a press; undefined where the button leads somewhere else. */
function searched(pressed: string): Kind | undefined {
  if (!pressed.startsWith("q.")) return undefined;
  return pressed === "q.models" ? "models" : "templates";
}

/** How an entry is used for an operation, with the variant that was chosen. */
export function startWith(use: Use, { suggestion }: BrowsedEntry, variant: Variant | undefined): BrowseStart {
  return {
    operation: use.operation,
    values: {
      [use.field]: suggestion.value,
      ...(use.variants !== undefined && variant && { [use.variants]: variant.value }),
    },
  };
}

async function use(browser: Browser, operation: string, code: string): Promise<BrowseStart> {
  const { entry: entryCode, variant: variantCode } = splitCode(code);
  const entry = await entryOf(browser, entryCode);
  const chosen = entry.browsed.uses.find((one) => one.operation === operation);
  if (!chosen) throw new ReelayError("stale_button");
  const variants = variantCode ? await variantsOf(browser, entry) : [];
  return startWith(
    chosen,
    entry,
    variants.find((variant) => variant.code === variantCode),
  );
}
