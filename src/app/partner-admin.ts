import { existsSync } from "node:fs";
import { join } from "node:path";
import { ReelayError } from "../common/errors.ts";
import { isPaidFor, type SharedSource } from "../domain/accounts/accounts.ts";
import { Audit } from "../domain/audit/audit.ts";
import { openInputs } from "../domain/audit/inputs.ts";
import { type PartnerAdmin, partnerIdOf } from "../seam/access/partners.ts";
import type { UserId } from "../seam/values.ts";
import type { Config } from "./config.ts";
import { NOBODY } from "../domain/jobs/adopt.ts";
import { everyJob } from "../domain/jobs/every-job.ts";
import { Ledger } from "../domain/jobs/ledger.ts";
import { Runners } from "../domain/jobs/submission/runners.ts";
import { People } from "../domain/people/people.ts";
import { countBegun } from "../domain/policy/begun-before.ts";
import { Blocks } from "../domain/policy/blocks.ts";
import { Traces } from "../domain/retention/traces.ts";
import { currentTime } from "../common/time.ts";
import { openStore } from "./data-folder.ts";
import { openFiles } from "./places/files.ts";
import { tryKey } from "./key-admin.ts";
import { hasTestMode, testSettingsOf } from "./test-mode/settings.ts";
import { openPartnerHost } from "../domain/partners/open.ts";
import { openVault } from "../infrastructure/vault/open.ts";
import type { FileStore } from "../infrastructure/media/files/files.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import { memory } from "../infrastructure/storage/key-value.ts";
import type { Logger } from "../infrastructure/telemetry/telemetry.ts";
import type { Vault } from "../infrastructure/vault/vault.ts";
import { hasAddedKeys } from "../domain/pool/key-pool.ts";
import { PartnerBook } from "../domain/partners/partner-book.ts";
import { TokenUses } from "../domain/partners/token-uses.ts";
import { PartnerDesk } from "../domain/partners/partner-admin.ts";

/** What partners are looked after over. */
export interface PartnerAdminHost {
  readonly config: Config;
  readonly database: Database;
  readonly files: FileStore;
  readonly vault: Vault;
  readonly log: Logger;
  /** Whose key pays for those who have connected none; undefined: one that was added, if there is any. */
  readonly shared: SharedSource | undefined;
  /** Erases what is kept of a partner beside keys and jobs. */
  readonly forget: (user: UserId) => Promise<void>;
  /** Who looks after them. */
  readonly by: UserId;
}

/** Opens the desk over a database that other processes may use meanwhile; the service only where a key is tried out. */
export async function openPartnerAdmin({
  by,
  forget,
  shared,
  ...host
}: PartnerAdminHost): Promise<PartnerAdmin> {
  const { config, database, files, vault } = host;
  const people = new People(memory(database, "people"));
  const audit = await Audit.open(database, "digest");
  return new PartnerDesk({
    by,
    book: new PartnerBook(database),
    uses: new TokenUses(database),
    audit,
    ledger: new Ledger(database, new Runners(database).id),
    vault,
    countBegun,
    async sharedFor(user) {
      const hasKeys = async () => config.apiUrl !== undefined && hasAddedKeys(database, config.apiUrl);
      const source = shared ?? ((await hasKeys()) ? "operator" : undefined);
      return source && isPaidFor({ user }, source, config.operatorKeyFor) ? source : null;
    },
    tryOut: async (user, key) => (await tryKey(host, user, key)).account,
    hasTestMode: hasTestMode(config),
    wipe: () => new Traces(database).wipe(currentTime()),
    async forget(user) {
      await removeTested(user, { ...host, by });
      await forget(user);
      await forgetTold(database, user);
      await people.forgetPartner(user);
      await new Blocks(memory(database, "blocks"), []).forgetPartner(user);
      await audit.forget(user);
      await openInputs(audit, await files.room("audit"), false).sweep();
    },
  });
}

/** Answers are given again for so long to whoever repeats a request, in milliseconds. */
const ANSWERED_MS = 24 * 3_600_000;

/** Erases answers that a partner's requests got, which hold their people's words, and where else results of theirs were shown. */
async function forgetTold(database: Database, user: UserId): Promise<void> {
  const answers = memory(database, "http");
  const since = currentTime() - ANSWERED_MS;
  for await (const { address, createdAt } of everyJob(new Ledger(database, NOBODY), user)) {
    if (createdAt < since) break;
    if (typeof address["answer"] === "string") await answers.delete(address["answer"]);
  }
  const copies = memory(database, "copies");
  for (const [job, copy] of await copies.entries<{ readonly user?: UserId }>())
    if (copy.user === user) await copies.delete(job);
}

/** Erases what a partner's test tokens made: by then none of them lets anybody in. @throws ReelayError `partner_jobs_open` */
async function removeTested(
  user: UserId,
  { config, log, by }: Pick<PartnerAdminHost, "config" | "log" | "by">,
): Promise<void> {
  const settings = testSettingsOf(config);
  if (!hasTestMode(config) || !existsSync(settings.store)) return;
  const database = await openStore(settings);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => database.close());
  const vault = await openVault(settings, database, log);
  const files = await openFiles(settings, join(settings.data, "scratch"));
  opened.defer(() => files.close());
  const host = { config: settings, database, files, vault, log };
  const things = await openPartnerHost(host);
  const forget = (who: UserId) => things.forget(who);
  const desk = await openPartnerAdmin({ ...host, by, shared: "sandbox", forget });
  await desk.remove(partnerIdOf(user) ?? "").catch((error: unknown) => {
    // Nobody came with one yet.
    if (!(error instanceof ReelayError && error.code === "partner_unknown")) throw error;
  });
}
