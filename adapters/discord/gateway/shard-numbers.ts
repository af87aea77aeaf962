import type { ChildProcess } from "node:child_process";
import { z } from "zod";
import { assignedShard } from "./shard.ts";

/** How long a shard's process may take to tell what it has counted, in milliseconds: whoever asks for numbers waits for it. */
const ANSWER_MS = 2_000;

const question = z.object({ reelay: z.literal("numbers?") });
const answer = z.object({ reelay: z.literal("numbers"), numbers: z.json() });

/** Tells the server that started this process what it has counted, whenever that asks; nobody else, as `reportToManager`. */
export function tellNumbers(count: () => Promise<unknown>): void {
  if (!assignedShard()) return;
  process.on("message", (message) => {
    if (!question.safeParse(message).success) return;
    void count().then(
      (numbers) => process.connected && process.send?.({ reelay: "numbers", numbers }),
      // It is asked again at the next look.
      () => undefined,
    );
  });
}

/** What the process of a shard has counted; undefined where it does not say. */
export async function askNumbers(
  shard: Pick<ChildProcess, "on" | "off" | "send" | "connected">,
): Promise<unknown> {
  if (!shard.connected) return undefined;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const hear = (message: unknown) => {
    const told = answer.safeParse(message);
    if (told.success) resolve(told.data.numbers);
  };
  const tooLate = setTimeout(() => resolve(undefined), ANSWER_MS);
  shard.on("message", hear);
  try {
    // One that has just ended is told of by its end.
    shard.send({ reelay: "numbers?" }, (error) => error && resolve(undefined));
    return await promise;
  } finally {
    clearTimeout(tooLate);
    shard.off("message", hear);
  }
}
