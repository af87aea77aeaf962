import { Audit } from "../audit/audit.ts";
import type { PartnerHost } from "../../seam/surface/host.ts";
import type { UserId } from "../../seam/values.ts";
import type { FileStore } from "../../infrastructure/media/files/files.ts";
import { openHeldFiles } from "../../infrastructure/media/files/held-files.ts";
import { makeSigner } from "../../infrastructure/media/files/signed.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { holdsIn } from "../../infrastructure/storage/holds.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import { openWebhooks } from "../webhooks/open.ts";
import { Authenticator } from "./authenticator.ts";
import { type CountBegun, PartnerBook } from "./partner-book.ts";
import { TestAuthenticator } from "./test-authenticator.ts";
import { TokenUses } from "./token-uses.ts";

/** What partners' things stand on. */
export interface PartnerHostParts {
  readonly config: { readonly privateHosts: readonly string[] };
  readonly database: Database;
  readonly files: FileStore;
  readonly vault: Vault;
  readonly log: Logger;
  /** Where partners and their tokens are kept, where this is for their test tokens; left out, it is for all others, and they are here. */
  readonly live?: { readonly database: Database; readonly countBegun: CountBegun };
}

/** What there is for partners beside their jobs. */
export interface OpenPartnerHost {
  readonly host: PartnerHost;
  /** Sends webhooks, in a process that serves partners. */
  readonly dispatcher: { start(): void; stop(): Promise<void> };
  /** Erases all of it that is a partner's. */
  forget(user: UserId): Promise<void>;
}

/** Opens what there is for partners: who they are, their files, what they are told. */
export async function openPartnerHost(parts: PartnerHostParts): Promise<OpenPartnerHost> {
  const { config, database, files, live } = parts;
  const mode = live ? "test" : "live";
  const audit = await Audit.open(database, "digest");
  const webhooks = openWebhooks({
    ...parts,
    audit,
    surface: "http",
    mode,
    privateHosts: config.privateHosts,
  });
  const held = openHeldFiles(await files.room("partners"), holdsIn(database));
  const book = new PartnerBook(database);
  const signer = makeSigner(memory(database, "partner-links"));
  const kept = live?.database ?? database;
  const authenticator = new Authenticator({
    ...parts,
    mode,
    book: new PartnerBook(kept),
    uses: new TokenUses(kept),
    audit: live ? await Audit.open(live.database, "digest") : audit,
  });
  return {
    host: {
      mode,
      partners: live ? new TestAuthenticator(authenticator, book, live.countBegun) : authenticator,
      events: webhooks.events,
      webhooks: webhooks.webhooks,
      held,
      signer,
    },
    dispatcher: webhooks.dispatcher,
    async forget(user) {
      await webhooks.forgetUser(user);
      await held.releaseAll(user);
    },
  };
}
