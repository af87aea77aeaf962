import { ApiError, askBy, type Egress } from "../../infrastructure/api/media-api.ts";
import type { Check } from "../../seam/surface/runtime.ts";
import { shown } from "../settings/egress.ts";
import { leftBy, type Reaching, transportOf } from "./open.ts";

/** What is found of an address that requests leave by. */
interface LookedEgress {
  readonly egress: Egress;
  readonly check: Check;
}

/** Whether the service answers by each address that requests leave by, where there is more to say of them than of the service. */
export async function lookAtEgresses(config: Reaching): Promise<readonly LookedEgress[]> {
  const { apiUrl } = config;
  const egresses = leftBy(config);
  if (apiUrl === undefined || egresses.every(({ address }) => address === undefined)) return [];
  const transport = transportOf(config, { connectTimeoutMs: 5_000, headersTimeoutMs: 10_000 });
  try {
    const looks = egresses.map(async (egress): Promise<LookedEgress> => {
      try {
        await askBy(transport, apiUrl, egress.name);
        const found = `${shown(egress)}: the service answers`;
        return { egress, check: { name: "address", ok: true, found } };
      } catch (error) {
        const advice =
          "See that this machine has the address, or that the proxy runs and takes its password; or take it out of REELAY_EGRESS.";
        const found = `${shown(egress)}: ${reasonOf(error)}`;
        return { egress, check: { name: "address", ok: false, found, advice } };
      }
    });
    return await Promise.all(looks);
  } finally {
    await transport.close();
  }
}

/** What no connection could be made for, or who answers. Of several tries together there is a code alone. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.byService === false)
    return `something answers (${error.status}) that is not the service`;
  const { cause } = error as { readonly cause?: { readonly message?: string; readonly code?: string } };
  return cause?.message || cause?.code || String(error);
}
