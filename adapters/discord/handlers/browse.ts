import type { Kind } from "../../../src/seam/browse/place.ts";
import { browseHandler, catalogueView } from "../../kit/handlers/browse.ts";
import { callOf } from "../commands/command-call.ts";
import { optionName } from "../commands/command-names.ts";
import { SEARCH } from "../commands/commands.ts";
import type { Handler } from "../context/context.ts";
import { askForWords, wordsIn } from "./browse-search.ts";
import { platform } from "./platform.ts";

const KINDS: readonly Kind[] = ["templates", "models"];

/** `/templates` and `/models`. */
export const catalogueHandler: Handler = async (context) => {
  const call = callOf(context.interaction);
  const kind = KINDS.find((candidate) => candidate === call?.name);
  if (!call || !kind) return false;
  const words = String(call.options.get(optionName(SEARCH).name) ?? "");
  await platform.post(context, await catalogueView(context, kind, words));
  return true;
};

/** Looks through the catalogue in one message. */
export const turnHandler: Handler = browseHandler(platform, {
  ask: askForWords,
  wordsOf: ({ interaction }) => wordsIn(interaction),
});
