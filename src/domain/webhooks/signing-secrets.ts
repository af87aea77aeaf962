import { ReelayError } from "../../common/errors.ts";
import { scrub } from "../../infrastructure/telemetry/telemetry.ts";
import { type Vault, webhookOwner } from "../../infrastructure/vault/vault.ts";
import { newSecret } from "./signature.ts";

/** For how long the secret before signs as well, so that a receiver can change over, in milliseconds. */
const OVERLAP_MS = 24 * 60 * 60_000;

/** What the vault keeps, as JSON. */
interface Kept {
  readonly secret: string;
  readonly before?: { readonly secret: string; readonly until: number };
}

/**
 * What signs webhooks, in the vault: encrypted, and encrypted anew when the operator's secret is rotated.
 * A signer is an endpoint's id, or a user's for the callbacks of their jobs.
 */
export class SigningSecrets {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The newest secret, made now if there is none. */
  async newest(signer: string, now: number): Promise<string> {
    return (await this.#read(signer))?.secret ?? this.renew(signer, now);
  }

  /** Makes a secret; the one before goes on signing for a day. */
  async renew(signer: string, now: number): Promise<string> {
    const before = (await this.#read(signer))?.secret;
    const kept: Kept = {
      secret: newSecret(),
      ...(before !== undefined && { before: { secret: before, until: now + OVERLAP_MS } }),
    };
    await this.#vault.put(webhookOwner(signer), JSON.stringify(kept));
    return kept.secret;
  }

  /**
   * The secrets that sign at this time, newest first.
   * @throws ReelayError `key_unreadable` where there is none
   */
  async signing(signer: string, now: number): Promise<readonly string[]> {
    const kept = await this.#read(signer);
    if (!kept) throw new ReelayError("key_unreadable");
    const { secret, before } = kept;
    return before && now < before.until ? [secret, before.secret] : [secret];
  }

  async remove(signer: string): Promise<void> {
    await this.#vault.remove(webhookOwner(signer));
  }

  async #read(signer: string): Promise<Kept | undefined> {
    const stored = await this.#vault.get(webhookOwner(signer));
    if (!stored) return undefined;
    const kept = JSON.parse(stored.reveal()) as Kept;
    scrub.registerBriefly(kept.secret);
    if (kept.before) scrub.registerBriefly(kept.before.secret);
    return kept;
  }
}
