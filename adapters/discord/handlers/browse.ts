import { InteractionType } from "discord.js";
import { BROWSE, found, home, type Kind } from "../../../src/chat/browse/place.ts";
import { leadsOut, turn } from "../../../src/chat/browse/press.ts";
import { viewOf } from "../../../src/chat/browse/view.ts";
import type { View } from "../../../src/chat/views.ts";
import { askForWords, wordsIn } from "./browse-search.ts";
import { callOf } from "../commands/command-call.ts";
import { optionName } from "../commands/command-names.ts";
import { SEARCH } from "../commands/commands.ts";
import { type Handler, type Interaction, idOf, type InteractionContext } from "../context/context.ts";
import { startDraft } from "../drafts/start.ts";
import { deliver } from "../messages/post.ts";

const KINDS: readonly Kind[] = ["templates", "models"];

/** Whether a button of the catalogue asks for something: a modal takes it. */
export function asksInModal(interaction: Interaction): boolean {
  return (
    interaction.type === InteractionType.MessageComponent && leadsOut(idOf({ interaction }, BROWSE) ?? "")
  );
}

/** `/templates` and `/models`: opens the catalogue, at what matches the words if there are any. */
export const browseHandler: Handler = async (context) => {
  const call = callOf(context.interaction);
  const kind = KINDS.find((candidate) => candidate === call?.name);
  if (!call || !kind) return false;
  await open(context, kind, String(call.options.get(optionName(SEARCH).name) ?? ""));
  return true;
};

/** Looks through the catalogue in one message. */
export const turnHandler: Handler = async (context) => {
  const pressed = idOf(context, BROWSE);
  if (pressed === undefined) return false;
  const words = wordsIn(context.interaction);
  const next = await turn(context, pressed);
  if (next.to === "search")
    await (words === undefined ? askForWords(context, next.kind) : open(context, next.kind, words));
  else if (next.to === "operation") await startDraft(context, next.start.operation, next.start.values);
  else await show(context, next.view);
  return true;
};

async function open(context: InteractionContext, kind: Kind, words: string): Promise<void> {
  await show(context, await viewOf(context, words ? found(kind, words) : home(kind)));
}

const show = (context: InteractionContext, view: View) => deliver(context, context.address, view);
