import { catalogueView } from "../../kit/handlers/browse.ts";
import { notCancelled } from "../../kit/handlers/commands.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import type { ReplyContext } from "../context/context.ts";
import { closeShown, shownOf } from "../drafts/shown.ts";
import { said } from "../messages/render.ts";
import { tell } from "../messages/tell.ts";
import { askOrRun } from "./commands.ts";
import { helpText } from "./help.ts";
import { show } from "./platform.ts";
import { lead } from "./studio.ts";

/** Does what a command does that somebody said without its slash; see `saidCommand`. */
export async function runSaid(context: ReplyContext, name: string): Promise<void> {
  const { intake } = context;
  switch (name) {
    case "help":
    case "start":
      await tell(context, context.address, said(helpText(context)));
      return;
    case "cancel":
      return cancelAll(context);
    case "templates":
    case "models":
      await show(context, await catalogueView(context, name, ""));
      return;
    case "studio":
      await lead(context, "chat.studio");
      return;
    default: {
      if (name === "connect" && (await lead(context, "chat.connect.page"))) return;
      const spec = intake.commands.find((one) => one.name === name);
      if (spec) await askOrRun(context, spec);
    }
  }
}

/** Gives up all that somebody fills in here, however it began. */
async function cancelAll(context: ReplyContext): Promise<void> {
  const { memory, origin, address } = context;
  const store = new DraftStore(memory);
  const others = await Promise.all(
    (await shownOf(memory, origin.user, address.channel)).map((id) => store.find(id)),
  );
  const open = [...(await store.open(origin)), ...others].filter((draft) => draft !== undefined);
  const drafts = [...new Map(open.map((draft) => [draft.id, draft])).values()];
  await Promise.all(drafts.map((draft) => store.finish(draft, "given_up")));
  for (const draft of drafts) await closeShown(context, draft);
  const text =
    drafts.length === 1 ? { key: "job.cancelled" as const } : await notCancelled(context, drafts.length);
  await show(context, { kind: "notice", text });
}
