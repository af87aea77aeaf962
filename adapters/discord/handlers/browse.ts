import { InteractionType } from "discord.js";
import type { Kind } from "../../../src/seam/browse/place.ts";
import { searchButton } from "../../../src/seam/browse/view.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { browseHandler, catalogueView } from "../../kit/handlers/browse.ts";
import { callOf } from "../commands/command-call.ts";
import { optionName } from "../commands/command-names.ts";
import { SEARCH, SEARCH_LENGTH } from "../commands/commands.ts";
import type { Handler, InteractionContext } from "../context/context.ts";
import { modalOf } from "../drafts/modal.ts";
import { givenIn } from "../drafts/modal-answer.ts";
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

/** What is looked for, asked in a line. */
const WORDS: FieldSpec = {
  name: "words",
  label: "discord.search.ask",
  control: "catalogue",
  required: true,
  advanced: false,
  maxLength: SEARCH_LENGTH,
};

/** Asks for words; by a button where it is too late for a modal. */
async function askForWords(context: InteractionContext, kind: Kind): Promise<void> {
  const search = searchButton(kind);
  const page = [WORDS];
  const asked = { id: search.token, title: search.label, fields: page, page, values: {}, entries: {} };
  if (await context.reply.openModal(modalOf(context.say, asked))) return;
  await platform.post(context, { kind: "notice", text: { key: WORDS.label }, actions: [search] });
}

/** Looks through the catalogue in one message. */
export const turnHandler: Handler = browseHandler(platform, {
  ask: askForWords,
  wordsOf: ({ interaction: { type, data } }) =>
    type === InteractionType.ModalSubmit ? givenIn(data)[0]?.picked[0] : undefined,
});
