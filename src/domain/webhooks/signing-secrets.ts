import { ReelayError } from "../../common/errors.ts";
import { scrub } from "../../infrastructure/telemetry/telemetry.ts";
import { type Vault, webhookOwner } from "../../infrastructure/vault/vault.ts";
import { Line } from "../../common/line.ts";
import { newSecret } from "./signature.ts";

/** For how long the secret before signs as well, so that a receiver can change over, in milliseconds. */
const OVERLAP_MS = 24 * 60 * 60_000;

/** What the vault keeps, as JSON. */
interface Kept {
  readonly secret: string;
  /** Whether whoever it is for was told it. */
  readonly told?: boolean;
  readonly before?: { readonly secret: string; readonly until: number };
}

/**
 * What signs webhooks, in the vault: encrypted, and encrypted anew when the operator's secret is rotated.
 * A signer is an endpoint's id, or a user's for the callbacks of their jobs.
 */
export class SigningSecrets {
  readonly #vault: Vault;
  /** Of one signer each makes or changes a secret after the other. */
  readonly #line = new Line();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The newest secret, made now if there is none: whoever it is for is still to be told. */
  newest(signer: string, now: number): Promise<string> {
    return this.#line.run(
      signer,
      async () => (await this.#read(signer))?.secret ?? this.#make(signer, now, false),
    );
  }

  /** The newest secret, where whoever it is for was not told it yet; from now on they were. */
  untold(signer: string, now: number): Promise<string | undefined> {
    return this.#line.run(signer, async () => {
      const kept = await this.#read(signer);
      if (!kept) return this.#make(signer, now, true);
      if (kept.told) return undefined;
      await this.#put(signer, { ...kept, told: true });
      return kept.secret;
    });
  }

  /** Makes a secret, to be told; the one before goes on signing for a day. */
  renew(signer: string, now: number): Promise<string> {
    return this.#line.run(signer, () => this.#make(signer, now, true));
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

  async #make(signer: string, now: number, told: boolean): Promise<string> {
    const before = (await this.#read(signer))?.secret;
    const kept: Kept = {
      secret: newSecret(),
      told,
      ...(before !== undefined && { before: { secret: before, until: now + OVERLAP_MS } }),
    };
    await this.#put(signer, kept);
    return kept.secret;
  }

  async #put(signer: string, kept: Kept): Promise<void> {
    await this.#vault.put(webhookOwner(signer), JSON.stringify(kept));
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
