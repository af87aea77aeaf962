import { createHash } from "node:crypto";
import type { StoredRow, Side, Table } from "./side.ts";

/** How many rows are in memory at once. */
const PAGE_ROWS = 2_000;

/** What has been done of a copy. */
export interface CopyProgress {
  readonly step: "copying" | "verifying";
  readonly rows: number;
  /** Rows that there are. */
  readonly of: number;
}

/** What arrived is not what left: nothing may be committed. */
class CopyDiffers extends Error {
  override readonly name = "CopyDiffers";
}

/**
 * Copies all rows of tables that are empty on the other side, within transactions that are open on both, and reads them there
 * again: number and digest of each table's rows must be those of what was read here.
 * @param hear is told how far it is, some thousand rows apart
 * @returns how many rows there are
 * @throws Error where a row came over as another one
 */
export async function copyAll(
  from: Side,
  to: Side,
  tables: readonly Table[],
  hear: (progress: CopyProgress) => void,
): Promise<number> {
  let of = 0;
  for (const table of tables) of += await from.count(table);
  const digests = new Map<Table, string>();
  let rows = 0;
  for (const table of tables) {
    const digest = digestOf(await from.count(table));
    for await (const page of pagesOf(from, table)) {
      await to.insert(table, page);
      digest.add(page);
      hear({ step: "copying", rows: (rows += page.length), of });
    }
    if (table.counter !== undefined) await to.setLastNumber(table, await from.lastNumber(table));
    digests.set(table, digest.end());
  }
  rows = 0;
  for (const table of tables) {
    const digest = digestOf(await to.count(table));
    for await (const page of pagesOf(to, table)) {
      digest.add(page);
      hear({ step: "verifying", rows: (rows += page.length), of });
    }
    if (digest.end() !== digests.get(table))
      throw new CopyDiffers(`The rows of ${table.name} did not come over as they are`);
  }
  return rows;
}

async function* pagesOf(side: Side, table: Table): AsyncGenerator<readonly StoredRow[], void> {
  let last: StoredRow | undefined;
  for (;;) {
    const page = await side.page(table, last, PAGE_ROWS);
    if (page.length > 0) yield page;
    last = page.at(-1);
    if (page.length < PAGE_ROWS) return;
  }
}

/** Of pages of the same size in the same order. */
function digestOf(count: number) {
  const hash = createHash("sha256").update(String(count));
  return {
    add: (page: readonly StoredRow[]) => void hash.update(JSON.stringify(page)),
    end: () => hash.digest("hex"),
  };
}
