import { fuzz as run } from "../test/support/fuzz/fuzz.ts";
import { openGateway } from "../test/support/gateway.ts";
import { testSandbox } from "../test/support/sandbox.ts";
import { say, type Section, table } from "./support/report.ts";

const COUNT = 10_000;
const SEEDS = ["one", "two", "three"];

/** Whether anything that is sent to the gateway gets an answer that its document does not describe. */
export async function fuzz(): Promise<Section> {
  const rows: string[][] = [];
  for (const seed of SEEDS) {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { fetch });
    const { statuses, findings } = await run(gateway, { seed, count: COUNT });
    for (const finding of findings) say(finding);
    const told = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    rows.push([seed, String(COUNT), told.join(", "), String(findings.length)]);
  }
  return {
    title: "Requests drawn from the gateway's own document",
    text: `In order, nearly so, or hostile: wrong types, unknown fields, huge texts, broken characters, wrong content types, cursors
that were never given, ids and tokens of others, methods that there are not. Each answer is compared with the document: its
status, headers, type, schema and code; none may be a 5xx.

${table(["seed", "requests", "answers by status", "answers that should not be"], rows)}`,
  };
}
