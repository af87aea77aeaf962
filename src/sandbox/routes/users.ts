import { Hono } from "hono";
import { TIERS, type Account } from "../records/accounts.ts";
import { timestamp, tokens } from "../records/formats.ts";
import { guard } from "../service/guard.ts";
import type { Env, Service } from "../service/service.ts";
import { slotsOf } from "../records/slots.ts";

const YEAR = 365 * 86_400_000;

/** `GET /user/*` (section 4.1). */
export function userRoutes(service: Service): Hono<Env> {
  const limited = guard(service, "user");
  const balance = (account: Account) => tokens(service.accounts.shownBalance(account));
  const canGenerate = (account: Account) =>
    service.accounts.shownBalance(account) > 0 &&
    (service.liberties.canGenerate === "tokens" ||
      service.jobs.running(account) < slotsOf(account.tier, service.liberties));
  return new Hono<Env>()
    .get("/user/info", limited, (c) => {
      const account = c.var.account;
      return c.json({
        id: account.id,
        email: `${account.name}@example.com`,
        username: account.name,
        first_name: account.name[0]?.toUpperCase() + account.name.slice(1),
        last_name: "Example",
        tokens: balance(account),
        ...subscription(account),
        created_at: timestamp(account.created_at),
      });
    })
    .get("/user/balance", limited, (c) =>
      c.json({
        tokens: balance(c.var.account),
        ...subscription(c.var.account),
        can_generate: canGenerate(c.var.account),
      }),
    )
    .get("/user/tokens", limited, (c) =>
      c.json({
        tokens: balance(c.var.account),
        total_tokens_used: tokens(c.var.account.used),
        subscription_active: TIERS[c.var.account.tier].subscribed,
      }),
    );
}

function subscription({ tier, created_at }: Account) {
  const active = TIERS[tier].subscribed;
  return { subscription_active: active, subscription_end: timestamp(active ? created_at + YEAR : null) };
}
