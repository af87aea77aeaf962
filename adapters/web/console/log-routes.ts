import { type Context, Hono } from "hono";
import { z } from "zod";
import { ACTS, type AuditEntry, type AuditQuery } from "../../../src/seam/access/audit.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { csvOf } from "../../../src/seam/text/csv.ts";
import { bodyOf, jsonOnly } from "../serving/json-body.ts";
import { asks, type ConsoleEnv } from "./env.ts";
import { sought } from "./sought.ts";
import type { ConsoleLine, ConsoleLog } from "./wire.ts";

/** Lines on a page, and in a file. */
const PAGE = 100;
const MOST_IN_FILE = 10_000;

const text = z.string().trim().max(300);
const number = z.int().nonnegative();

/** What is sought, in the body: addresses are in logs. What is empty does not matter. */
const audited = z
  .object({
    user: text.transform((user) => user as UserId),
    job: text,
    act: z.enum(ACTS).or(z.literal("")),
    since: number,
    until: number,
    before: number,
  })
  .partial()
  .refine(({ since = 0, until = Infinity }) => since <= until);

/** The audit: searched, and as CSV. */
export function logRoutes(): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();

  app.post("/log", asks("see-log"), jsonOnly, async (c) => {
    const found = await c.var.desk.audit({ ...(await queryOf(c)), limit: PAGE + 1 });
    const lines = found.slice(0, PAGE).map(lineOf);
    const before = found.length > PAGE ? (lines.at(-1)?.id ?? null) : null;
    return c.json({ lines, before } satisfies ConsoleLog);
  });

  app.post("/lines", asks("see-log"), jsonOnly, async (c) =>
    c.json(c.var.desk.lines((await bodyOf(c, sought)).of)),
  );

  app.post("/log.csv", asks("see-log"), jsonOnly, async (c) => {
    const lines = (await c.var.desk.audit({ ...(await queryOf(c)), limit: MOST_IN_FILE })).map(lineOf);
    c.header("Content-Type", "text/csv; charset=utf-8");
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
async function queryOf(c: Context): Promise<Omit<AuditQuery, "limit">> {
  const given = await bodyOf(c, audited);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
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
