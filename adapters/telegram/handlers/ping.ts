import { PING, wantPing } from "../../kit/results/ping.ts";
import { type Handler, pressedOf } from "../context/context.ts";
import { deliveriesIn } from "../messages/results-memory.ts";
import { pointAt } from "../messages/pointer.ts";
import { clearLeft } from "./left.ts";
import { answerPress } from "./press.ts";

/** Has whoever asked for a job called when it is done. */
export const pingHandler: Handler = async (context) => {
  const [job, user] = pressedOf(context, PING)?.split(":") ?? [];
  if (job === undefined) return false;
  const { origin, memory, say } = context;
  const isTheirs = origin.user === `telegram:${user}`;
  const isThere = (await deliveriesIn(memory).find(job))?.complete === true;
  if (isTheirs && !isThere) await wantPing(memory, job);
  const shown = isTheirs ? await clearLeft(context, job) : undefined;
  if (shown) await pointAt(context, shown);
  const answer = isThere ? "view.shown" : "ping.wanted";
  await answerPress(context, say(isTheirs ? answer : "error.not_yours"), { quiet: isTheirs });
  return true;
};
