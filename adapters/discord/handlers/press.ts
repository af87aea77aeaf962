import { InteractionType } from "discord.js";
import { isAskedTwice, SURE, sureButtons } from "../../../src/chat/sure.ts";
import { ReelayError } from "../../../src/errors.ts";
import { tokenOf } from "../messages/components.ts";
import { type Handler, idOf } from "../context/context.ts";
import { deliver } from "../messages/post.ts";
import { noteShared } from "../context/secrecy.ts";

/** Presses the core's buttons. Takes every button: one of ours that nobody knows any more is refused. */
export const pressHandler: Handler = async (context) => {
  const { interaction, intake, memory, origin, address } = context;
  if (interaction.type === InteractionType.ApplicationCommand) return false;
  const token = interaction.type === InteractionType.MessageComponent ? tokenOf(interaction) : undefined;
  if (token === undefined) throw new ReelayError("stale_button");
  if (isAskedTwice(token)) {
    const text = { key: "discord.sure" } as const;
    await deliver(context, address, { kind: "notice", text, actions: sureButtons(token) });
  } else {
    // Something may be asked first.
    if (!address.secret) await noteShared(memory, interaction.id);
    await intake.act(origin, token);
  }
  return true;
};

/** Does what was confirmed twice, or lets it be. */
export const sureHandler: Handler = async (context) => {
  const token = idOf(context, SURE);
  if (token === undefined) return false;
  if (token) await context.intake.act(context.origin, token);
  else await deliver(context, context.address, { kind: "notice", text: { key: "discord.sure.kept" } });
  return true;
};
