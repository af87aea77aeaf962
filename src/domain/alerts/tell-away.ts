import { randomUUID } from "node:crypto";
import type { LookupFunction } from "node:net";
import type { Locale } from "../../common/i18n.ts";
import { type ChatId, platformOf } from "../../seam/values.ts";
import type { Surfaces } from "../../seam/surface/surfaces.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import { GuardedAgent } from "../../infrastructure/net/guarded.ts";
import { attempt } from "../webhooks/attempt.ts";
import { OPERATOR, TRY_MS } from "../webhooks/deliveries.ts";
import { signedHeaders } from "../webhooks/signature.ts";
import { SigningSecrets } from "../webhooks/signing-secrets.ts";
import { isAddress } from "./alerts.ts";
import { dataOf } from "./data.ts";
import { sentenceFor } from "./notice.ts";
import { post } from "./post.ts";

const NOTICE = { kind: "storage_away", news: "began", params: {} } as const;

/** What is told with when the database is away. */
interface AwayParts {
  readonly places: readonly string[];
  readonly locale: Locale;
  readonly vault: Vault;
  readonly surfaces: Pick<Surfaces, "of" | "names">;
  /** `REELAY_PRIVATE_HOSTS`. */
  readonly privateHosts: readonly string[];
  readonly lookup?: LookupFunction;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Tells operators that the database is away: at once, as nothing can be written that would be told later. */
export class AwayTeller {
  readonly #parts: AwayParts;
  readonly #secrets: SigningSecrets;
  /** What signs, as long as it cannot be read. */
  #signing: readonly string[] = [];

  constructor(parts: AwayParts) {
    this.#parts = parts;
    this.#secrets = new SigningSecrets(parts.vault);
  }

  /** Reads what signs messages, while that can be read. */
  async prepare(): Promise<void> {
    const { now, places } = this.#parts;
    if (!places.some(isAddress)) return;
    await this.#secrets.newest(OPERATOR, now());
    this.#signing = await this.#secrets.signing(OPERATOR, now());
  }

  /** @returns whether at least one place was told */
  async tell(signal: AbortSignal): Promise<boolean> {
    const { places } = this.#parts;
    const telling = places.map((place) =>
      isAddress(place) ? this.#call(place, signal) : this.#post(place as ChatId),
    );
    const told = await Promise.all(telling.map((one) => one.catch(() => false)));
    return told.includes(true);
  }

  async #post(place: ChatId): Promise<boolean> {
    const { surfaces } = this.#parts;
    if (!surfaces.names.includes(platformOf(place))) return false;
    await post(surfaces.of(platformOf(place)), place, sentenceFor(NOTICE));
    return true;
  }

  async #call(url: string, signal: AbortSignal): Promise<boolean> {
    const { locale, lookup, now, privateHosts } = this.#parts;
    const at = now();
    const data = dataOf(NOTICE, at, locale);
    const body = JSON.stringify({ type: "alert.began", timestamp: new Date(at).toISOString(), data });
    const headers = signedHeaders(`msg_${randomUUID()}`, body, this.#signing, at);
    await using agent = new GuardedAgent({ privateHosts, lookup });
    const tried = { url, body, headers, privateHosts, agent, timeoutMs: TRY_MS, givenUp: signal, signal };
    const { status } = await attempt(tried);
    return status !== null && status >= 200 && status < 300;
  }
}
