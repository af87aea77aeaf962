import type { Transport } from "../../infrastructure/api/media-api.ts";

/**
 * Asks the service something by an address, without a key: it costs nothing, and takes from nobody's rate.
 * @param apiUrl the service's address, ending in `/api`
 * @throws Network where nothing is answered
 */
export async function askBy(
  transport: Transport,
  apiUrl: string,
  egress: string,
  signal?: AbortSignal,
): Promise<void> {
  const url = new URL(`${apiUrl}/user/balance`);
  (await transport.exchange({ method: "GET", url, paid: false, egress, signal })).body.destroy();
}
