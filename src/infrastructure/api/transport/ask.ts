import { readAnswer } from "./answer.ts";
import { ApiError, ServiceFailure } from "./errors.ts";
import type { Transport } from "./transport.ts";

/**
 * Asks the service something by an address, without a key: it costs nothing, takes from nobody's rate, and is refused by the service
 * alone in its own words (sections 5 and 7), whatever else may answer there.
 * @param apiUrl the service's address, ending in `/api`
 * @throws ApiError where nothing is answered, or something that is not the service's
 */
export async function askBy(
  transport: Transport,
  apiUrl: string,
  egress: string,
  signal?: AbortSignal,
): Promise<void> {
  const url = new URL(`${apiUrl}/user/balance`);
  const reply = await transport.exchange({ method: "GET", url, paid: false, egress, signal });
  const answered = await readAnswer(reply, "").then(
    // Nobody's balance: whoever tells it is not the service.
    () => new ServiceFailure({ status: reply.status, requestId: reply.requestId, byService: false }),
    (error: unknown) => error,
  );
  if (answered instanceof ApiError) transport.noteAnswer(egress, answered);
  if (!(answered instanceof ApiError) || answered.byService !== true) throw answered;
}
