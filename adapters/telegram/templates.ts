import { ReelayError } from "../../src/errors.ts";
import { addressOf } from "./address.ts";
import { ask } from "./command-question.ts";
import { answerPress, isOfSomebodyElse, pressedMessage } from "./command-press.ts";
import { type Clerk, pressedOf, type Visit } from "./desk.ts";
import { startDraft } from "./draft-start.ts";
import { post, replace } from "./post.ts";
import { found, home, type Kind, type Place, readPlace } from "./templates-place.ts";
import {
  entriesOfKind,
  type Entry,
  entryOf,
  splitCode,
  type Use,
  type Variant,
  variantsOf,
} from "./templates-shelves.ts";
import { TEMPLATES, viewOf } from "./templates-view.ts";

/** Opens the catalogue in a message of its own: at what matches the words, if there are any. */
export async function openTemplates(visit: Visit, kind: Kind, words: string): Promise<void> {
  const place = words ? found(kind, words) : home(kind);
  await post(visit, addressOf(visit.origin.address), await viewOf(visit, place));
}

/** Starts a draft with the template that a shared link names: by its code, or by its own id. */
export async function useLinked(visit: Visit, name: string): Promise<void> {
  const entries = await entriesOfKind(visit, "templates");
  const entry = entries.find(({ code, suggestion }) => code === name || suggestion.value === name);
  if (entry) return begin(visit, entry.shelf.uses[0], entry, undefined);
  const { actions = [] } = await viewOf(visit, home("templates"));
  const text = { key: "telegram.templates.gone" } as const;
  await post(visit, addressOf(visit.origin.address), { kind: "notice", text, actions });
}

/** Looks through the catalogue in one message. */
export const templateClerk: Clerk = async (visit) => {
  const pressed = pressedOf(visit, TEMPLATES);
  if (pressed === undefined) return false;
  if (isOfSomebodyElse(visit)) {
    await answerPress(visit, visit.say("error.not_yours"));
    return true;
  }
  await answerPress(visit);
  const [what, first = "", code = ""] = pressed.split(".");
  if (what === "q") await ask(visit, first === "models" ? "models" : "templates");
  else if (what === "u") await use(visit, first, code);
  else await turnTo(visit, readPlace(pressed));
  return true;
};

/** Shows another place in the message that was pressed. */
async function turnTo(visit: Visit, place: Place | undefined): Promise<void> {
  const receipt = pressedMessage(visit);
  if (!place || !receipt) throw new ReelayError("stale_button");
  await replace(visit, receipt, await viewOf(visit, place));
}

/** @throws ReelayError `stale_button` when the entry or the operation is gone */
async function use(visit: Visit, operation: string, code: string): Promise<void> {
  const { entry: entryCode, variant: variantCode } = splitCode(code);
  const entry = await entryOf(visit, entryCode);
  const chosen = entry.shelf.uses.find((one) => one.operation === operation);
  if (!chosen) throw new ReelayError("stale_button");
  const variants = variantCode ? await variantsOf(visit, entry) : [];
  await begin(
    visit,
    chosen,
    entry,
    variants.find((variant) => variant.code === variantCode),
  );
}

async function begin(visit: Visit, use: Use, entry: Entry, variant: Variant | undefined): Promise<void> {
  await startDraft(visit, use.operation, {
    [use.field]: entry.suggestion.value,
    ...(use.variants !== undefined && variant && { [use.variants]: variant.value }),
  });
}
