import { DefaultRestOptions, REST, type RESTOptions } from "discord.js";
import { within } from "../../../src/common/time.ts";
import type { DiscordConfig } from "../../../src/seam/config.ts";

/** How long a call may take, in milliseconds; files of tens of megabytes leave over slow lines. */
const TIMEOUT_MS = 120_000;

/** The same without files: somebody waits for it, and so does what follows of theirs. */
const WORDS_MS = 10_000;

/**
 * Node's own `fetch` sends forms: discord.js would hand them to whatever undici this process made its global one, which refuses
 * them. Everything else goes by discord.js's own way, which costs half of that.
 */
const makeRequest = ((url, init) => {
  if (init.body instanceof FormData)
    // Typed for another version of the same function.
    return (fetch as unknown as RESTOptions["makeRequest"])(url, init);
  const others = init.signal ? [init.signal] : [];
  return within(WORDS_MS, (signal) => DefaultRestOptions.makeRequest(url, { ...init, signal }), ...others);
}) satisfies RESTOptions["makeRequest"];

/**
 * discord.js's own repetitions are off: it repeats what was carried out already, without a pause.
 * @param timeout how long a call may take, in milliseconds
 */
export function restFor({ token, apiRoot }: DiscordConfig, timeout: number = TIMEOUT_MS): REST {
  const rest = new REST({
    version: "10",
    retries: 0,
    timeout,
    makeRequest,
    ...(apiRoot !== undefined && { api: apiRoot }),
  });
  return rest.setToken(token);
}
