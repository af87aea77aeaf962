import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { MediaRef } from "../../src/seam/values.ts";
import { FOLDER_FAULTS } from "../support/failing-folder.ts";
import { temporaryFolder, testPicture, tinyClip } from "../support/sandbox.ts";
import { type Fault, STEPS } from "./cells.ts";
import { FOLDER_STEPS, folderTrial } from "./data-folder.ts";
import { deletionTrial } from "./deletion.ts";
import { faultPage, FOLDER_CHAPTER, type Row } from "./page.ts";
import { trial } from "./trial.ts";

let photo: MediaRef;

beforeAll(async () => {
  const path = join(temporaryFolder(), "photo.jpg");
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  photo = { surface: "web", id: path };
});

const rows: Row[] = [];

describe.concurrent("whatever goes wrong", () => {
  const cells = STEPS.flatMap((step) =>
    step.faults.flatMap((fault: Fault) => [false, true].map((lasts) => ({ step, fault, lasts }))),
  );
  const [deletions, makings] = [true, false].map((wanted) =>
    cells.filter(({ step: { deletes = false } }) => deletes === wanted),
  ) as [typeof cells, typeof cells];

  it.each(deletions)("$step.title: $fault.title, lasting: $lasts", async ({ step, fault, lasts }) => {
    const outcome = await deletionTrial(photo, step, fault, lasts);
    rows.push({ step: step.title, fault: fault.title, lasts, outcome });
    // The video was paid for once, whatever becomes of it.
    expect(outcome.charged).toBe(1);
    expect(outcome.isTrue).toBe(true);
  });

  const folderCells = FOLDER_STEPS.flatMap(({ title, from }) =>
    FOLDER_FAULTS.flatMap((fault) => [false, true].map((lasts) => ({ title, from, fault, lasts }))),
  );
  it.each(folderCells)("our data folder, $title: $fault, lasting: $lasts", async (cell) => {
    const { title, from, fault, lasts } = cell;
    const outcome = await folderTrial(photo, from, fault, lasts);
    rows.push({ step: FOLDER_CHAPTER, fault: `${title}: ${fault}`, lasts, outcome });
    // Paid once, delivered once, whole, and told of in one message.
    expect(outcome).toMatchObject({ kind: "result", charged: 1, repeated: 0 });
    expect(outcome.file).toEqual(readFileSync(tinyClip()));
  });

  it.each(makings)("$step.title: $fault.title, lasting: $lasts", async ({ step, fault, lasts }) => {
    const outcome = await trial(photo, step, fault, lasts);
    rows.push({ step: step.title, fault: fault.title, lasts, outcome });
    // Paid once, and not for nothing: what was charged is delivered, whole, or its person is told what it cost.
    expect(outcome.charged).toBeLessThanOrEqual(1);
    expect(outcome.end).not.toBe("");
    const delivered = outcome.kind === "result";
    expect(outcome.file).toEqual(delivered ? readFileSync(tinyClip()) : undefined);
    expect(outcome.charged).toBe(delivered || outcome.told === null || outcome.told > 0 ? 1 : 0);
  });
});

it("is told in a table, as the sandbox saw it", async () => {
  const before = readFileSync(new URL("../../docs/faults.md", import.meta.url), "utf8");
  await expect(faultPage(rows, before)).toMatchFileSnapshot("../../docs/faults.md");
});
