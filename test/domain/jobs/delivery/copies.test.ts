import { expect, it, vi } from "vitest";
import { Copies } from "../../../../src/domain/jobs/delivery/copies.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { Surfaces } from "../../../../src/seam/surface/surfaces.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../../support/failing-folder.ts";
import { result } from "../../../support/results.ts";
import { MemorySurface } from "../../../support/surface.ts";

const moments = FOLDER_FAULTS.flatMap((fault) =>
  (["progress", "result"] as const).map((kind) => ({ fault, kind })),
);

it.each(moments)(
  "where a copy is can be found, although writing its $kind down failed: $fault",
  async (cell) => {
    await using folder = new FailingFolder(cell.fault);
    const database = await folder.open();
    const surface = new MemorySurface("telegram");
    const log = makeLogger({ level: "silent" });
    const copies = new Copies(memory(database, "copies"), new Surfaces([surface], []), log);
    surface.beforePost = async ({ kind }) => {
      if (kind === cell.kind) await folder.fail();
    };
    const view = result("image");
    const job = { id: view.job.id, user: "telegram:ann" } as const;
    const to = { platform: "telegram", address: { to: "ann" } } as const;
    await folder.mendOnceWaitedFor(copies.show(job, view, to, "owner"));
    expect(surface.messages.map(({ views }) => views.map(({ kind }) => kind))).toEqual([
      ["progress", "result"],
    ]);
    // Pressed once more within seconds: it is there.
    surface.beforePost = () => expect.fail("was posted again");
    await copies.show(job, view, to, "owner");
    // Where the clock was set back since, it is no press of a moment ago.
    surface.beforePost = async () => {};
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    await copies.show(job, view, to, "owner").finally(() => vi.useRealTimers());
    expect(surface.messages.flatMap(({ views }) => views)).toHaveLength(3);
    expect(await copies.release(job.id)).toMatchObject([{ receipt: { index: 0 } }]);
  },
);
