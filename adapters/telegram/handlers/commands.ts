import { entriesOfKind } from "../../../src/seam/browse/catalogues.ts";
import { home } from "../../../src/seam/browse/place.ts";
import { startWith } from "../../../src/seam/browse/press.ts";
import { viewOf } from "../../../src/seam/browse/view.ts";
import { TypedCommands } from "../../kit/handlers/commands.ts";
import { isMeant } from "../context/addressed.ts";
import { commandIn, messageOf } from "../context/command-line.ts";
import type { Handler, UpdateContext } from "../context/context.ts";
import { connect } from "./connect.ts";
import { cancelDrafts } from "./draft.ts";
import { leadToPrivate } from "./groups.ts";
import { groupIn, TEMPLATE_LINK } from "./links.ts";
import { beginOperation } from "./operation.ts";
import { platform } from "./platform.ts";
import { answerPress } from "./press.ts";
import { showReports } from "./reports.ts";
import { showRules } from "./rules.ts";
import { studio } from "./studio.ts";

/** Commands that are typed. */
export const commands = new TypedCommands<UpdateContext>(platform, {
  connect,
  cancel: cancelDrafts,
  begin: beginOperation,
  leadToPrivate,
  async follow(context, start) {
    const about = groupIn(start);
    if (about) await (about.what === "g" ? showRules : showReports)(context, about.group);
    else if (start.startsWith(TEMPLATE_LINK)) await useLinked(context, start.slice(TEMPLATE_LINK.length));
    return about !== undefined || start.startsWith(TEMPLATE_LINK);
  },
  studio,
  explainPhotos: (context) => answerPress(context, context.say("chat.start.photo_hint")),
});

/** Runs commands that are typed; an album is more than one message. */
export const commandHandler: Handler = async (context) => {
  const command = commandIn(context);
  const message = messageOf(context);
  if (!command || !message || "media_group_id" in message) return false;
  if (isMeant(context, command)) await commands.run(context, command.name, command.words);
  return true;
};

/** Starts a draft with the template that a shared link names: by its code, or by its own id. */
async function useLinked(context: UpdateContext, name: string): Promise<void> {
  const entries = await entriesOfKind(context, "templates");
  const entry = entries.find(({ code, suggestion }) => code === name || suggestion.value === name);
  if (entry) {
    const { operation, values } = startWith(entry.browsed.uses[0], entry, undefined);
    await platform.startDraft(context, operation, values);
  } else {
    const { actions = [] } = await viewOf(context, home("templates"));
    await platform.post(context, { kind: "notice", text: { key: "browse.gone" }, actions });
  }
}
