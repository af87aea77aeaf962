import { Hono } from "hono";
import { z } from "zod";
import { ACTS, type AuditEntry, type AuditQuery } from "../../../src/seam/access/audit.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { csvOf } from "../../../src/seam/text/csv.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { asks, type ConsoleEnv } from "./env.ts";
import type { ConsoleLine, ConsoleLog } from "./wire.ts";

/** Lines on a page, and in a file. */
const PAGE = 100;
const MOST_IN_FILE = 10_000;

const text = z.string().trim().max(300);
const number = z.coerce.number().int().nonnegative();

/** What is sought; what was left empty does not matter. */
const sought = z.object({
  user: text.exactOptional(),
  job: text.exactOptional(),
  act: z.enum(ACTS).exactOptional(),
  since: number.exactOptional(),
  until: number.exactOptional(),
  before: number.exactOptional(),
});

/** The audit: searched, and as CSV. */
export function logRoutes(): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();

  app.get("/log", asks("see-log"), async (c) => {
    const found = await c.var.desk.audit({ ...queryOf(c.req.query()), limit: PAGE + 1 });
    const lines = found.slice(0, PAGE).map(lineOf);
    const before = found.length > PAGE ? (lines.at(-1)?.id ?? null) : null;
    return c.json({ lines, before } satisfies ConsoleLog);
  });

  app.get("/lines", asks("see-log"), (c) =>
    c.json(c.var.desk.lines((c.req.query("of") ?? "").slice(0, 300))),
  );

  app.get("/log.csv", asks("see-log"), async (c) => {
    const lines = (await c.var.desk.audit({ ...queryOf(c.req.query()), limit: MOST_IN_FILE })).map(lineOf);
    c.header("Content-Type", "text/csv; charset=utf-8");
    c.header("Content-Disposition", 'attachment; filename="reelay-log.csv"');
    return c.body(csvOf([COLUMNS, ...lines.map(cellsOf)]));
  });
  return app;
}

const COLUMNS = [
  "id",
  "at",
  "act",
  "user",
  "username",
  "chat",
  "surface",
  "rule",
  "operation",
  "job",
  "note",
] as const;

const cellsOf = (line: ConsoleLine) =>
  COLUMNS.map((name) => (name === "at" ? new Date(line.at).toISOString() : line[name]));

/** @throws ReelayError `bad_request` */
function queryOf(given: Record<string, string>): Omit<AuditQuery, "limit"> {
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ""));
  const parsed = sought.safeParse(filled);
  if (!parsed.success) throw new ReelayError("bad_request", { reason: "query" });
  const { user, ...rest } = parsed.data;
  return { ...rest, ...(user !== undefined && { user: user as UserId }) };
}

function lineOf({ content, files: _files, digest: _digest, ...line }: AuditEntry): ConsoleLine {
  return { ...line, note: noteIn(content) };
}

/** What somebody noted, or what a setting was and is. */
function noteIn(content: AuditEntry["content"]): string | null {
  const { data } = told.safeParse(content);
  if (!data) return null;
  return "note" in data ? data.note : `${data.from ?? "–"} → ${data.to ?? "–"}`;
}

const told = z.union([
  z.object({ note: z.string() }),
  z.object({ from: z.string().nullable(), to: z.string().nullable() }),
]);
