import { z } from "zod";
import { ALERT_KINDS } from "../../../src/seam/access/alerts.ts";
import { ACTS } from "../../../src/seam/access/audit.ts";
import { KEY_STATES, KEY_TIERS } from "../../../src/seam/access/key-pool.ts";
import { OPERATOR_ROLES } from "../../../src/seam/access/operators.ts";
import { SCOPES } from "../../../src/seam/access/partners.ts";
import { DIMENSIONS } from "../../../src/seam/access/usage.ts";
import { ENDPOINT_EVENT_TYPES } from "../../../src/seam/events.ts";
import { line, params, time, tokens } from "./parts.ts";

const block = z.object({
  subject: z.string(),
  at: time,
  reason: z.string().optional(),
  by: z.string().optional(),
});

const auditEntry = z.object({
  id: z.number(),
  at: time,
  user: z.string().nullable(),
  username: z.string().nullable(),
  chat: z.string().nullable(),
  surface: z.string(),
  act: z.enum(ACTS),
  by: z.string().nullable(),
  rule: z.string().nullable(),
  operation: z.string().nullable(),
  job: z.string().nullable(),
  digest: z.string().nullable(),
  files: z.array(z.string()),
  content: z.json(),
});

const operator = z.object({
  id: z.string(),
  role: z.enum(OPERATOR_ROLES),
  name: z.string().nullable(),
  invitedAt: time.nullable(),
  invitedBy: z.string().nullable(),
  seenAt: time.nullable(),
  removedAt: time.nullable(),
  linkUntil: time.nullable(),
});

const poolKey = z.object({
  name: z.string(),
  state: z.enum(KEY_STATES),
  since: time,
  weight: z.number(),
  tier: z.enum(KEY_TIERS).nullable(),
  left: tokens.nullable(),
  jobs: z.number(),
});

const usageRow = z.object({
  ...Object.fromEntries(DIMENSIONS.map((name) => [name, z.string().nullish()])),
  jobs: z.number(),
  successes: z.number(),
  tokens,
  seconds: z.number().nullable(),
});

const caps = z.object({
  day: z.number().optional(),
  month: z.number().optional(),
  dayTokens: tokens.optional(),
  monthTokens: tokens.optional(),
  atOnce: z.number().optional(),
});

const token = z.object({
  id: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  createdAt: time,
  expiresAt: time.optional(),
  test: z.literal(true).optional(),
});

const partner = {
  partner: z.object({
    id: z.string(),
    name: z.string(),
    platform: z.string(),
    createdAt: time,
    caps,
    userCaps: caps,
    requestsPerMinute: z.number(),
    asksPeople: z.literal(true).optional(),
    mature: z.literal(true).optional(),
    origins: z.array(z.string()).optional(),
  }),
  tokens: z.array(token.extend({ lastUsedAt: time.nullable() })),
  paidBy: z.enum(["own", "operator", "sandbox", "unreadable"]).nullable(),
} as const;

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(ENDPOINT_EVENT_TYPES)),
  createdAt: time,
  disabledAt: time.nullable(),
  disabledBecause: z.enum(["gone", "owner"]).nullable(),
});

const delivery = z.object({
  id: z.string(),
  endpoint: z.string().nullable(),
  url: z.string(),
  type: z.string(),
  job: z.string().nullable(),
  state: z.enum(["due", "delivered", "failed", "dropped"]),
  attempts: z.array(
    z.object({
      at: time,
      status: z.number().nullable(),
      error: z.string().nullable(),
      tookMs: z.number(),
    }),
  ),
  nextAt: time.nullable(),
  createdAt: time,
});

const check = z.object({
  name: z.string(),
  ok: z.boolean(),
  found: z.string(),
  advice: z.string().optional(),
});

const liberty = z.object({ name: z.string(), section: z.string(), answer: z.string(), usual: z.boolean() });

/** What is said to those who run Reelay. */
export const OPERATING = [
  line("settings", "settings that stop the start", {
    mistakes: z.array(z.object({ setting: z.string(), found: z.string(), wanted: z.string() })),
  }),
  line("started", "the server listens", { url: z.string(), sandbox: z.boolean() }),
  line("sandbox", "a sandbox of its own listens; keys are by tier", {
    url: z.string(),
    fullCatalogUrl: z.string(),
    keys: z.record(z.string(), z.string()),
    control: z.string(),
    liberties: z.array(liberty).optional(),
  }),
  line("doctor", "what was looked at, and whether it is as it should be", {
    ok: z.boolean(),
    checks: z.array(check),
  }),
  line("usage", "sums of jobs; times in seconds, null without a success", {
    by: z.array(z.enum(DIMENSIONS)),
    rows: z.array(usageRow),
  }),
  line("audit", "what was decided and done, the latest first", { entries: z.array(auditEntry) }),
  line("blocks", "who is blocked", { blocks: z.array(block) }),
  line("blocked", "somebody is blocked from now on; `noPartner`: a partner that there is not so far", {
    block: block.extend({ noPartner: z.string().optional() }),
  }),
  line("unblocked", "somebody is not blocked any more; `was`: whether they were", {
    subject: z.string(),
    was: z.boolean(),
  }),
  line("operators", "those who run Reelay", { operators: z.array(operator) }),
  line("operator", "one of them as they are now", { operator }),
  line("operator_link", "a link that lets one of them in; never shown again", { operator, url: z.string() }),
  line("operator_removed", "one of them, as they were, is none any more", { operator }),
  line("keys", "the keys that pay for those who have connected none", { keys: z.array(poolKey) }),
  line("key", "one of them as it is now", { key: poolKey }),
  line("partner", "a partner as they are now; `token` only of one that was just added", {
    ...partner,
    token: z.string().optional(),
    url: z.string().optional(),
    webhooksHere: z.literal(true).optional(),
  }),
  line("partners", "every partner", { partners: z.array(z.object(partner)) }),
  line("token", "one more token; never shown again", {
    partner: z.string(),
    token: z.string(),
    info: token,
    url: z.string(),
  }),
  line("revoked", "a token is nobody's any more; `token` is its id", {
    partner: z.string(),
    token: z.string(),
  }),
  line("removed", "a partner is gone", { partner: z.string() }),
  line("webhooks", "where a partner is told of their jobs", { webhooks: z.array(webhook) }),
  line("deliveries", "what a partner was told, newest first", { deliveries: z.array(delivery) }),
  line("resent", "a message goes out once more", { delivery }),
  line("callback_secret", "what signs messages; `renewed`: whether it is a new one", {
    secret: z.string(),
    renewed: z.boolean(),
  }),
  line("alerts", "what is not as it should be now", {
    alerts: z.array(z.object({ kind: z.enum(ALERT_KINDS), params, since: time })),
  }),
  line("alerts_tested", "what became of a test of the places where alerts are told", {
    places: z.array(z.object({ place: z.string(), outcome: z.enum(["told", "failed", "waiting"]) })),
  }),
  line("rotated", "how many stored keys were encrypted anew, and how many no secret fits", {
    rewritten: z.number(),
    unreadable: z.number(),
  }),
  line("backed_up", "everything that is kept stands in one file", {
    path: z.string(),
    files: z.number(),
    bytes: z.number(),
    hasSecret: z.boolean(),
  }),
  line(
    "restored",
    "a data folder was made of a backup; `ended`: jobs that were not sent; `filesAt`: where files were kept that no backup has",
    { files: z.number(), bytes: z.number(), ended: z.number(), filesAt: z.string().optional() },
  ),
  line("moving", "how far a move is, in rows; `moved`: the other database is in charge", {
    step: z.enum(["copying", "verifying", "arrived", "moved"]),
    rows: z.number(),
    of: z.number(),
  }),
  line("moved", "everything was moved; without `rows`, a move that was cut off is finished", {
    from: z.string(),
    to: z.string(),
    rows: z.number().optional(),
    data: z.string(),
    hasFiles: z.boolean(),
    hasSecret: z.boolean(),
  }),
  line(
    "moved_files",
    "files are in another place, too; `bytes`: what of them was not there before; `damaged`: those that are not what their name says; with `asItIs`, nothing was copied, and that place is used as it is",
    {
      from: z.string(),
      to: z.string(),
      files: z.number(),
      bytes: z.number(),
      damaged: z.array(z.string()),
      asItIs: z.literal(true).optional(),
    },
  ),
  line("link", "the link that logs a browser in", { url: z.string() }),
] as const;
