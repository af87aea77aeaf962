import { Readable } from "node:stream";
import { z } from "zod";
import { translator } from "../../../src/common/i18n.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { inAppUsername } from "../route/requests.ts";
import { jobSchema } from "../resources/job.ts";
import { decisionBody, decisionSchema, statementListBody, statementListSchema } from "../resources/user.ts";
import type { OwnCall } from "../route/route.ts";
import { rowBody, usageRowSchema } from "../resources/usage.ts";
import { shownJob } from "./shown-job.ts";

/** Everything that is kept about somebody behind a partner's app. */
export const userExportSchema = z
  .object({
    object: z.literal("user_export"),
    version: z.literal(1).meta({ description: "Of this format." }),
    in_app_username: inAppUsername,
    exported_at: z.iso.datetime(),
    statements: statementListSchema.shape.data,
    usage: z.array(usageRowSchema).meta({ description: "By day and operation; also of deleted jobs." }),
    jobs: z.array(jobSchema).meta({ description: "Newest first." }),
    decisions: z.array(decisionSchema).meta({ description: "The audit, the latest first." }),
  })
  .meta({ id: "UserExport" });

const BY = ["day", "operation"] as const;

/** An export, written while it is read: however many jobs there are, a page of them is in memory. */
export async function exportedUser(
  parts: GatewayParts,
  { c, user, locale }: OwnCall,
  username: string,
): Promise<Response> {
  const { statements, usage, jobs, audit } = await parts.intake().jobs.users.kept(user, username);
  const head = {
    object: "user_export",
    version: 1,
    in_app_username: username,
    exported_at: new Date().toISOString(),
    statements: statementListBody(statements, translator(locale)).data,
    usage: usage.map((row) => rowBody(row, BY)),
  };

  async function* text(): AsyncGenerator<string> {
    yield JSON.stringify(head).slice(0, -1);
    yield* list("jobs", jobs, (record) => shownJob(parts, record, locale));
    yield* list("decisions", audit, decisionBody);
    yield "}";
  }

  return c.body(Readable.toWeb(Readable.from(text())) as ReadableStream, 200, {
    "Content-Type": "application/json",
  });
}

/** A list of an object, one entry after the other. */
async function* list<T>(
  name: string,
  entries: AsyncIterable<T>,
  bodyOf: (entry: T) => unknown,
): AsyncGenerator<string> {
  yield `,"${name}":[`;
  let comma = "";
  for await (const entry of entries) {
    yield comma + JSON.stringify(await bodyOf(entry));
    comma = ",";
  }
  yield "]";
}
