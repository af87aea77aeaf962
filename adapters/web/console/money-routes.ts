import { Hono } from "hono";
import { MONEY_DIMENSIONS, MONEY_PERIODS, type MoneyPeriod } from "../../../src/seam/access/money.ts";
import { csvOf } from "../../../src/seam/text/csv.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { asks, type ConsoleEnv } from "./env.ts";

/** What tokens went to, and as CSV. */
export function moneyRoutes(): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();

  app.get("/money", asks("see-money"), async (c) =>
    c.json(await c.var.desk.money(periodOf(c.req.query("period")))),
  );

  app.get("/money.csv", asks("see-money"), async (c) => {
    const period = periodOf(c.req.query("period"));
    const rows = await c.var.desk.moneyRows(period);
    c.header("Content-Type", "text/csv; charset=utf-8");
    c.header("Content-Disposition", `attachment; filename="reelay-money-${period}.csv"`);
    return c.body(csvOf([COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))]));
  });
  return app;
}

const COLUMNS = [
  ...MONEY_DIMENSIONS,
  "jobs",
  "completed",
  "failed",
  "unsure",
  "tokens",
  "failedTokens",
] as const;

/** @throws ReelayError `bad_request` */
function periodOf(given: string | undefined): MoneyPeriod {
  const period = MONEY_PERIODS.find((one) => one === (given ?? "month"));
  if (!period) throw new ReelayError("bad_request", { reason: "period" });
  return period;
}
