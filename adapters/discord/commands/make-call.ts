import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { callOf } from "./command-call.ts";
import type { Interaction } from "../context/interaction.ts";
import { MAKE } from "./slots.ts";
import { type GivenOption, givenWith } from "./values.ts";

/** What somebody wants to make, and what they gave for it. */
export interface MakeCall extends GivenOption {
  readonly spec: CommandSpec;
}

/** A call of `/make`; undefined for everything else that somebody does. */
export function makeCallOf(
  interaction: Interaction,
  commands: readonly CommandSpec[],
  say: Translate,
): MakeCall | undefined {
  const call = callOf(interaction);
  const spec = commands.find(({ name, kind }) => name === call?.step && kind === "operation");
  if (call?.name !== MAKE || !spec) return undefined;
  return { spec, ...givenWith(call, spec.fields, say) };
}
