import { InteractionType } from "discord.js";
import { isAskedTwice, SURE, sureButtons } from "../../../src/chat/sure.ts";
import { ReelayError } from "../../../src/errors.ts";
import { tokenOf } from "../messages/components.ts";
import { type Clerk, idOf } from "../context/context.ts";
import { deliver } from "../messages/post.ts";
import { noteShared } from "../context/secrecy.ts";

/** Presses the core's buttons. Takes every button: one of ours that nobody knows any more is refused. */
export const pressClerk: Clerk = async (visit) => {
  const { deed, intake, memory, origin, address } = visit;
  if (deed.type === InteractionType.ApplicationCommand) return false;
  const token = deed.type === InteractionType.MessageComponent ? tokenOf(deed) : undefined;
  if (token === undefined) throw new ReelayError("stale_button");
  if (isAskedTwice(token)) {
    const text = { key: "discord.sure" } as const;
    await deliver(visit, address, { kind: "notice", text, actions: sureButtons(token) });
  } else {
    // Something may be asked first.
    if (!address.secret) await noteShared(memory, deed.id);
    await intake.act(origin, token);
  }
  return true;
};

/** Does what was confirmed twice, or lets it be. */
export const sureClerk: Clerk = async (visit) => {
  const token = idOf(visit, SURE);
  if (token === undefined) return false;
  if (token) await visit.intake.act(visit.origin, token);
  else await deliver(visit, visit.address, { kind: "notice", text: { key: "discord.sure.kept" } });
  return true;
};
