import type { Database } from "../../infrastructure/storage/database.ts";
import type { Operators } from "../../seam/access/operators.ts";
import { needsLogin, type SurfaceConfig } from "../../seam/config.ts";
import { Audit } from "../audit/audit.ts";
import { OperatorBook, type OperatorBookParts } from "./operator-book.ts";

/** What those who run Reelay stand on. */
interface OpenParts {
  readonly settings: Pick<SurfaceConfig, "host" | "publicUrl">;
  readonly database: Database;
  readonly vault: Pick<OperatorBookParts, "known">;
}

/** Opens those who run Reelay over a database that other processes may use meanwhile. */
export async function openOperators({ settings, database, vault }: OpenParts): Promise<Operators> {
  const audit = await Audit.open(database, "digest");
  return new OperatorBook({ database, audit, known: vault.known, asksLogin: needsLogin(settings) });
}
