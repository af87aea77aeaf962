import type { Check } from "../../seam/surface/runtime.ts";
import { shown } from "../settings/egress.ts";
import { leftBy, type Reaching, transportOf } from "./open.ts";

/** Whether the service answers by each address that requests leave by, where there is more to say of them than of the service. */
export async function examineEgresses(config: Reaching): Promise<readonly Check[]> {
  const { apiUrl } = config;
  const egresses = leftBy(config);
  if (apiUrl === undefined || egresses.every(({ address }) => address === undefined)) return [];
  const transport = transportOf(config, { connectTimeoutMs: 5_000, headersTimeoutMs: 10_000 });
  const url = new URL(`${apiUrl}/user/balance`);
  try {
    const looks = egresses.map(async (egress): Promise<Check> => {
      const call = { method: "GET", url, paid: false, egress: egress.name } as const;
      try {
        (await transport.exchange(call)).body.destroy();
        return { name: "address", ok: true, found: `${shown(egress)}: the service answers` };
      } catch (error) {
        const advice =
          "See that this machine has the address, or that the proxy runs and takes its password; or take it out of REELAY_EGRESS.";
        return { name: "address", ok: false, found: `${shown(egress)}: ${reasonOf(error)}`, advice };
      }
    });
    return await Promise.all(looks);
  } finally {
    await transport.close();
  }
}

/** What no connection could be made for. Of several tries together there is a code alone. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly message?: string; readonly code?: string } };
  return cause?.message || cause?.code || String(error);
}
