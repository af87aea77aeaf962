import { asReelayError } from "../../../common/errors.ts";
import { within } from "../../../common/time.ts";
import type { Account } from "../../accounts/accounts.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import { ACCOUNT_EVERY_MS } from "../patience.ts";
import type { Watcher } from "../watcher.ts";

const DAY_MS = 24 * 3_600_000;

/** What the pace is measured over, in milliseconds: a week has its quiet days in it. */
const PACE_MS = 7 * DAY_MS;

/** How long the service may take to answer, waiting for a turn included, in milliseconds. */
const ANSWER_MS = 12_000;

/** What the operator's account is looked at with. */
interface AccountWatchParts {
  /** That of the operator's key; undefined where there is none. */
  readonly account: () => Account | undefined;
  readonly database: Pick<Database, "kysely">;
  /** For how many days tokens are to last; 0: that is not looked at. */
  readonly tokenDays: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Sees that the service does not take the operator's key, and that its tokens end soon. */
export function watchAccount({ account, database, tokenDays, now }: AccountWatchParts): Watcher {
  return {
    everyMs: ACCOUNT_EVERY_MS,
    once: true,
    async look(stop) {
      const operator = account();
      if (operator?.source !== "operator") return [];
      let tokens: number | null;
      try {
        const asking = (signal: AbortSignal) => operator.api({ background: true, signal }).balance();
        ({ tokens } = await within(ANSWER_MS, asking, stop));
      } catch (error) {
        if (asReelayError(error).code === "unauthorized") return [{ kind: "key_refused", params: {} }];
        // A service that does not answer says nothing of a key.
        return [];
      }
      if (tokens === null) return [];
      operator.noteBalance(tokens);
      const at = now();
      const perDay = await paceOf(database, operator.keyId, at);
      if (perDay === 0 || tokens >= perDay * tokenDays) return [];
      const ends = Math.round(at + (Math.max(0, tokens) / perDay) * DAY_MS);
      return [{ kind: "tokens_ending", params: { at: ends, left: tokens } }];
    },
  };
}

/** Tokens a day that a key's jobs of the last week cost; of a younger installation, of its days. */
async function paceOf({ kysely }: Pick<Database, "kysely">, keyId: string, now: number): Promise<number> {
  const spent = await kysely
    .selectFrom("jobs")
    .select(({ fn }) => [
      fn.sum<number | string | null>("cost").as("tokens"),
      fn.min("accepted_at").as("first"),
    ])
    .where("key_id", "=", keyId)
    .where("accepted_at", ">=", now - PACE_MS)
    .executeTakeFirst();
  if (!spent?.first) return 0;
  const days = Math.max(1, Math.min(PACE_MS, now - spent.first) / DAY_MS);
  return Math.max(0, Number(spent.tokens ?? 0)) / days;
}
