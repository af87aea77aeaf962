import { z } from "zod";
import type { Fields } from "../transport/answer.ts";
import { amount, flag, type Kept, number, text, time } from "./values.ts";

/** The person whom the key belongs to (section 2.2). */
export interface User extends Kept {
  readonly id: number | null;
  readonly email: string | null;
  readonly username: string | null;
  /** The current token balance. */
  readonly tokens: number | null;
  readonly subscriptionActive: boolean;
  /** Milliseconds since 1970, like `createdAt`. */
  readonly subscriptionEnd: number | null;
  readonly createdAt: number | null;
}

/** What can be spent (section 4.1). */
export interface Balance extends Kept {
  readonly tokens: number | null;
  readonly subscriptionActive: boolean;
  /** Milliseconds since 1970. */
  readonly subscriptionEnd: number | null;
  readonly canGenerate: boolean;
}

/** What was spent (section 4.1). */
export interface TokenUse extends Kept {
  readonly tokens: number | null;
  readonly totalUsed: number | null;
  readonly subscriptionActive: boolean;
}

/** How many jobs ended how. */
interface JobCounts {
  readonly total: number | null;
  readonly completed: number | null;
  readonly failed: number | null;
  readonly pending: number | null;
}

/** The account's jobs in numbers (section 2.6). */
export interface Stats extends Kept, JobCounts {
  /** Percent. */
  readonly successRate: number | null;
  readonly tokensRemaining: number | null;
  readonly subscriptionActive: boolean;
  /** By job type; null where that is not said. */
  readonly breakdown: Readonly<Record<string, JobCounts>> | null;
}

const account = z.looseObject({
  id: number,
  email: text,
  username: text,
  tokens: amount,
  total_tokens_used: amount,
  subscription_active: flag,
  subscription_end: time,
  can_generate: flag,
  created_at: time,
});

const stats = z.looseObject({
  total_jobs: number,
  completed_jobs: number,
  failed_jobs: number,
  pending_jobs: number,
  success_rate: number,
  tokens_remaining: amount,
  subscription_active: flag,
  breakdown: z
    .record(z.string(), z.object({ total: number, completed: number, failed: number, pending: number }))
    .nullable()
    .catch(null),
});

export function readUser(raw: Fields): User {
  const read = account.parse(raw);
  return {
    id: read.id,
    email: read.email,
    username: read.username,
    tokens: read.tokens,
    subscriptionActive: read.subscription_active,
    subscriptionEnd: read.subscription_end,
    createdAt: read.created_at,
    raw,
  };
}

export function readBalance(raw: Fields): Balance {
  const read = account.parse(raw);
  return {
    tokens: read.tokens,
    subscriptionActive: read.subscription_active,
    subscriptionEnd: read.subscription_end,
    canGenerate: read.can_generate,
    raw,
  };
}

export function readTokenUse(raw: Fields): TokenUse {
  const read = account.parse(raw);
  return {
    tokens: read.tokens,
    totalUsed: read.total_tokens_used,
    subscriptionActive: read.subscription_active,
    raw,
  };
}

export function readStats(raw: Fields): Stats {
  const read = stats.parse(raw);
  return {
    total: read.total_jobs,
    completed: read.completed_jobs,
    failed: read.failed_jobs,
    pending: read.pending_jobs,
    successRate: read.success_rate,
    tokensRemaining: read.tokens_remaining,
    subscriptionActive: read.subscription_active,
    breakdown: read.breakdown,
    raw,
  };
}
