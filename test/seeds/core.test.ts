import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it, onTestFailed, vi } from "vitest";
import type { MediaRef } from "../../src/seam/values.ts";
import type { ProblemView, ResultView, View } from "../../src/seam/views.ts";
import { OPERATIONS } from "../../src/domain/operations/registry.ts";
import { chance } from "../../src/sandbox/liberties/chance.ts";
import { drawLiberties } from "../../src/sandbox/liberties/liberties.ts";
import { testCore } from "../support/core.ts";
import { namingRenderer } from "../support/named-clips.ts";
import { leastOrders, type OrderPictures } from "../support/orders.ts";
import { temporaryFolder, testPicture, testSandbox, type TestSandbox } from "../support/sandbox.ts";
import { type MemorySurface, person, type SeenMessage } from "../support/surface.ts";
import { keep, seedsOfRun } from "./seeds.ts";
import { PATIENCE_MS } from "../support/patience.ts";

let pictures: OrderPictures;

beforeAll(async () => {
  const dir = temporaryFolder();
  const kept = async (name: string, content: Buffer): Promise<MediaRef> => {
    await writeFile(join(dir, name), content);
    return { surface: "web", id: join(dir, name) };
  };
  const square = { create: { width: 320, height: 240, channels: 3, background: "#fff" } } as const;
  pictures = {
    photo: await kept("photo.jpg", Buffer.from(await testPicture(), "base64")),
    mask: await kept("mask.png", await sharp(square).png().toBuffer()),
    face: await kept("face.jpg", Buffer.from(await testPicture(240, 240), "base64")),
  };
});

type Last = ResultView | ProblemView;

const isLast = (view: View | undefined): view is Last => view?.kind === "result" || view?.kind === "problem";

/** The messages whose last word has been said. */
function toldIn(surface: MemorySurface): readonly (SeenMessage & { readonly last: Last })[] {
  return surface.messages.flatMap((message) => {
    const last = message.views.at(-1);
    return isLast(last) ? [{ ...message, last }] : [];
  });
}

/** What is still going on, for whoever reads why a seed failed. */
function open(surface: MemorySurface): readonly string[] {
  return surface.messages.flatMap(({ views }) => {
    const view = views.at(-1);
    if (isLast(view) || view === undefined || !("job" in view)) return [];
    return `${view.job?.operation}: ${view.kind === "progress" ? view.phase : view.kind}`;
  });
}

/** The results that the service has on disk, whoever asked for them. */
async function filesOf(sandbox: TestSandbox): Promise<readonly Buffer[]> {
  const { submissions } = await sandbox.ledger();
  const found = submissions.map(async ({ job_id: id }) => {
    const dir = join(sandbox.dir, "files", id);
    const name = (await readdir(dir)).find((entry) => entry.startsWith("result."));
    return name === undefined ? [] : [await readFile(join(dir, name))];
  });
  return (await Promise.all(found)).flat();
}

const sorted = (files: readonly Buffer[]) => files.map((file) => file.toString("base64")).toSorted();

describe.concurrent("whatever the contract leaves open", () => {
  it.each(seedsOfRun())("seed %i: everything is made, charged and delivered once, whole", async (seed) => {
    onTestFailed(() => keep(seed));
    const failRate = chance(String(seed), "some fail") < 0.3 ? 0.3 : 0;
    await using sandbox = await testSandbox({
      seed,
      liberties: drawLiberties(seed),
      render: namingRenderer,
      failRate,
    });
    await using core = await testCore(sandbox);
    const { surface } = core;
    const orders = Object.entries(leastOrders(pictures));
    expect(orders.map(([id]) => id).toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted());
    for (const [operation, values] of orders)
      expect([operation, await surface.intake.command(person("ann"), operation, values)]).toEqual([
        operation,
        true,
      ]);
    await vi.waitFor(() => expect(open(surface)).toEqual([]), { timeout: PATIENCE_MS, interval: 50 });

    const told = toldIn(surface);
    const failures = told.flatMap(({ last }) => (last.kind === "problem" ? [last.problem.code] : []));
    expect(new Set(failures)).toEqual(new Set(failRate > 0 && failures.length > 0 ? ["job_failed"] : []));
    const { submissions, rejected, pages, leaked_keys } = await sandbox.ledger();
    expect(submissions).toHaveLength(orders.length);
    expect({ rate: rejected.rate, pages, leaked_keys }).toEqual({ rate: 0, pages: 0, leaked_keys: 0 });
    expect(surface.messages).toHaveLength(orders.length);
    const delivered = told.filter(({ last }) => last.kind === "result").flatMap(({ files }) => files);
    expect(sorted(delivered)).toEqual(sorted(await filesOf(sandbox)));
  });
});
