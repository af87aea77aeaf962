import { type Account, BALANCE_MS } from "../accounts/accounts.ts";
import type { Job } from "./job.ts";
import type { Ledger } from "./ledger.ts";

/** Amounts are decimals (section 2.1): nearer than this they are the same. */
const HALF_A_CENT = 0.005;

/**
 * Whether the balance shows that a job whose answer was lost was not charged, and so not accepted: it is what it
 * was before, but for what this key's other jobs were charged since. True only where nothing else can explain it.
 * @throws ApiError when the balance cannot be read
 */
export async function isUncharged(job: Job, account: Account, ledger: Ledger): Promise<boolean> {
  const { balance: before, submittedAt } = job;
  if (before === null || submittedAt === null) return false;
  // The balance before may be that old: a refund since then would hide a charge of the same amount.
  const charges = (await ledger.othersSince(job, submittedAt - BALANCE_MS)).map((other) => {
    // What a job costs may be settled anew when it ends (section 4.7, rule 4), and nobody knows of one in doubt.
    if (other.state !== "running") return null;
    // What was accepted earlier is in the balance before.
    return (other.acceptedAt ?? 0) > submittedAt ? other.cost : 0;
  });
  const now = await account.balance(0);
  if (now === null || charges.includes(null)) return false;
  const spent = charges.reduce<number>((sum, charge) => sum + (charge ?? 0), 0);
  return Math.abs(before - spent - now) < HALF_A_CENT;
}
