import type { Memory } from "../../../src/common/memory.ts";
import type { AnyInteraction } from "./interaction.ts";

/** As long as what is asked before something is made can be answered, in milliseconds. */
const SHARED_MS = 60 * 60_000;

const sharedKey = (interaction: string) => `shared:${interaction}`;

/** Notes that what is made in an interaction is for all to see, even if something is asked in private before. */
export async function noteShared(memory: Memory, interaction: string): Promise<void> {
  await memory.set(sharedKey(interaction), true, SHARED_MS);
}

/** Whether what is pressed was asked in such an interaction. */
export async function isShared(memory: Memory, { message }: AnyInteraction): Promise<boolean> {
  const asked = message?.interaction_metadata?.id;
  return asked !== undefined && (await memory.get<boolean>(sharedKey(asked))) === true;
}
