import { REST, type RESTOptions } from "discord.js";
import type { DiscordConfig } from "../../../src/seam/config.ts";

/** How long a call may take, in milliseconds; files of tens of megabytes leave over slow lines. */
const TIMEOUT_MS = 120_000;

/**
 * discord.js's own repetitions are off: it repeats what was carried out already, without a pause. Node's own `fetch`
 * sends: discord.js would hand forms to whatever undici this process made its global one, which refuses them.
 * @param timeout how long a call may take, in milliseconds
 */
export function restFor({ token, apiRoot }: DiscordConfig, timeout: number = TIMEOUT_MS): REST {
  const rest = new REST({
    version: "10",
    retries: 0,
    timeout,
    // Typed for another version of the same function.
    makeRequest: fetch as unknown as RESTOptions["makeRequest"],
    ...(apiRoot !== undefined && { api: apiRoot }),
  });
  return rest.setToken(token);
}
