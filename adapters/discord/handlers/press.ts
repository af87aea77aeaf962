import { InteractionType } from "discord.js";
import { ReelayError } from "../../../src/common/errors.ts";
import { parseToken } from "../../../src/seam/text/actions.ts";
import { noteAsked } from "../../kit/results/asked-again.ts";
import { pressHandlers } from "../../kit/handlers/press.ts";
import { DISCORD } from "../api/limits.ts";
import type { Handler } from "../context/context.ts";
import { noteShared } from "../context/secrecy.ts";
import { platform } from "./platform.ts";

/** Presses the core's buttons. */
export const actHandlers = pressHandlers(platform, {
  pressedOn: ({ interaction }) => ("message" in interaction ? interaction.message.id : ""),
  confirm: (context, actions) =>
    platform.post(context, { kind: "notice", text: { key: "discord.sure" }, actions }),
  settle: async (context, isSure) =>
    isSure || platform.post(context, { kind: "notice", text: { key: "sure.kept" } }),
  async act({ interaction, intake, memory, origin, address, reply }, token) {
    // Something may be asked first.
    if (!address.secret) await noteShared(memory, interaction.id);
    const { command, arg } = parseToken(token);
    if (command === "show") {
      // The list that it was picked from stays.
      await reply.leavePressed();
      await noteAsked(memory, arg, address.user ?? "", address, DISCORD.tokenMs);
    }
    await intake.act(origin, token);
  },
});

/** Refuses what is left of buttons and forms: those of ours that nobody knows any more. */
export const staleHandler: Handler = async ({ interaction }) => {
  if (interaction.type === InteractionType.ApplicationCommand) return false;
  throw new ReelayError("stale_button");
};
