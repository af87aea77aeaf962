import { ReelayError } from "../../../src/common/errors.ts";
import { type Handler, idOf } from "../context/context.ts";
import { PING, wantPing } from "../../kit/results/ping.ts";
import { deliveriesIn } from "../messages/results-memory.ts";
import { plain, said } from "../messages/render.ts";

/** Has whoever asked for a job called when it is done. */
export const pingHandler: Handler = async (context) => {
  const [job, user] = idOf(context, PING)?.split(":") ?? [];
  if (job === undefined) return false;
  const { address, memory, reply, say } = context;
  if (user !== address.user) throw new ReelayError("not_yours");
  const isThere = (await deliveriesIn(memory).find(job))?.complete === true;
  if (!isThere) await wantPing(memory, job);
  await reply.tell(said(plain(say(isThere ? "view.shown" : "ping.wanted"))));
  return true;
};
