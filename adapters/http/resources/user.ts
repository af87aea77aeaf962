import { z } from "zod";
import { ACTS, type AuditEntry } from "../../../src/seam/access/audit.ts";
import type { Standing } from "../../../src/seam/access/user-access.ts";
import type { Json } from "../../../src/common/json.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { statementName } from "../route/requests.ts";
import { isoOf } from "./job.ts";
import { listSchema } from "./list.ts";

const version = z.string().meta({ description: "Of its wording: another one is asked anew.", example: "1" });

/** A statement, and how a partner's user stands to it. */
const statementSchema = z
  .object({
    object: z.literal("statement"),
    statement: statementName.meta({ example: "consent" }),
    text: z.string().meta({ description: "What to ask, in the language of `Accept-Language`." }),
    version,
    terms_url: z.url().nullable().meta({ description: "The host's own terms, that belong to it." }),
    every_time: z
      .boolean()
      .meta({ description: "Said with each job that takes it: what was said before does not count." }),
    stated: z
      .object({ version, at: z.iso.datetime().meta({ example: "2026-01-31T12:00:00.000Z" }) })
      .nullable()
      .meta({ description: "What they stated; null: nothing, or it was taken back." }),
  })
  .meta({ id: "Statement" });

/** All of them. */
export const statementListSchema = listSchema(statementSchema).meta({ id: "StatementList" });

/** A line of the audit, as whom it is about may read it. */
export const decisionSchema = z
  .object({
    at: z.iso.datetime(),
    act: z.enum(ACTS).meta({ example: "allow" }),
    rule: z.string().nullable().meta({ description: "What decided." }),
    operation: z.string().nullable().meta({ example: "video" }),
    job: z.string().nullable(),
    digest: z.string().nullable().meta({ description: "Of what was asked for." }),
    files: z.array(z.string()).meta({ description: "SHA-256 of each file that was given." }),
    content: z.unknown().meta({ description: "What was asked for, where the host keeps it." }),
  })
  .meta({ id: "Decision" });

/** Statements, as partners read them. */
export function statementListBody(
  standings: readonly Standing[],
  translate: Translate,
): z.output<typeof statementListSchema> {
  const data = standings.map(({ name, text, version, terms, everyTime, stated }) => ({
    object: "statement" as const,
    statement: name,
    text: translate(text),
    version,
    terms_url: terms ?? null,
    every_time: everyTime,
    stated: stated && { version: stated.version, at: isoOf(stated.at) },
  }));
  return { object: "list", data };
}

/** A line of the audit, as partners read it. */
export function decisionBody({ at, act, rule, operation, job, digest, files, content }: AuditEntry): Json {
  return { at: isoOf(at), act, rule, operation, job, digest, files, content };
}
