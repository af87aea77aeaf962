import { InteractionType } from "discord.js";
import { BROWSE, found, home, type Kind } from "../../../src/chat/browse/place.ts";
import { leadsOut, turn } from "../../../src/chat/browse/press.ts";
import { viewOf } from "../../../src/chat/browse/view.ts";
import type { View } from "../../../src/chat/views.ts";
import { askForWords, wordsIn } from "./browse-search.ts";
import { callOf } from "../commands/command-call.ts";
import { optionName } from "../commands/command-names.ts";
import { SEARCH } from "../commands/commands.ts";
import { type Clerk, type Deed, idOf, type Visit } from "../context/context.ts";
import { startDraft } from "../drafts/start.ts";
import { deliver } from "../messages/post.ts";

const KINDS: readonly Kind[] = ["templates", "models"];

/** Whether a button of the catalogue asks for something: a modal takes it. */
export function asksInModal(deed: Deed): boolean {
  return deed.type === InteractionType.MessageComponent && leadsOut(idOf({ deed }, BROWSE) ?? "");
}

/** `/templates` and `/models`: opens the catalogue, at what matches the words if there are any. */
export const browseClerk: Clerk = async (visit) => {
  const call = callOf(visit.deed);
  const kind = KINDS.find((candidate) => candidate === call?.name);
  if (!call || !kind) return false;
  await open(visit, kind, String(call.options.get(optionName(SEARCH).name) ?? ""));
  return true;
};

/** Looks through the catalogue in one message. */
export const turnClerk: Clerk = async (visit) => {
  const pressed = idOf(visit, BROWSE);
  if (pressed === undefined) return false;
  const words = wordsIn(visit.deed);
  const next = await turn(visit, pressed);
  if (next.to === "search")
    await (words === undefined ? askForWords(visit, next.kind) : open(visit, next.kind, words));
  else if (next.to === "operation") await startDraft(visit, next.start.operation, next.start.values);
  else await show(visit, next.view);
  return true;
};

async function open(visit: Visit, kind: Kind, words: string): Promise<void> {
  await show(visit, await viewOf(visit, words ? found(kind, words) : home(kind)));
}

const show = (visit: Visit, view: View) => deliver(visit, visit.address, view);
