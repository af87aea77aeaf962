import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { View } from "../../../src/seam/views.ts";
import { testCore } from "../../support/core.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { type MemorySurface, person } from "../../support/surface.ts";

const ANN = person("ann");
/** More than may be sent in a window (section 8.1): the last of them waits. */
const MORE_THAN_LEAVE = 35;

/** Has a platform take nothing of this kind for now; to be disposed before its core, which would wait for that. */
function hold(surface: MemorySurface, kind: View["kind"]) {
  const released = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  surface.beforePost = async (view) => {
    if (view.kind !== kind) return;
    asked.resolve();
    await released.promise;
  };
  return { asked: asked.promise, [Symbol.dispose]: () => released.resolve() };
}

/** A job whose end its platform is asked to tell, and does not until it is let go. @param failRate of the service's jobs, 0 to 1 */
async function untold(kind: View["kind"], failRate: number) {
  await using opened = new AsyncDisposableStack();
  const sandbox = opened.use(await testSandbox({ failRate }));
  const { surface } = opened.use(await testCore(sandbox));
  const { jobs } = surface.intake;
  const { asked, ...held } = opened.use(hold(surface, kind));
  const { id } = await jobs.submit(ANN, "image", { prompt: "a cat" });
  await asked;
  const closing = opened.move();
  return {
    surface,
    jobs,
    id,
    release: held[Symbol.dispose],
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

describe("a job that a program wants to be gone", () => {
  it("stays as long as its end is being told", async () => {
    await using at = await untold("result", 0);
    const { jobs, id } = at;
    await expect(jobs.remove(ANN.user, id)).rejects.toMatchObject({ code: "job_busy" });
    at.release();
    await at.surface.results(1);
    await expect.poll(() => jobs.remove(ANN.user, id).catch(() => "busy")).toBe("deleted");
    await expect(jobs.find(ANN.user, id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("goes once its failure was told, where that is shown as its end already", async () => {
    await using at = await untold("problem", 1);
    const { jobs, id } = at;
    expect(await jobs.find(ANN.user, id)).toMatchObject({ phase: "failed" });
    const removing = jobs.remove(ANN.user, id);
    expect(await Promise.race([removing, sleep(100, "waits")])).toBe("waits");
    at.release();
    expect(await removing).toBe("deleted");
  });

  it("stays where its failure is not told soon", async () => {
    await using at = await untold("problem", 1);
    const { jobs, id } = at;
    await expect(jobs.remove(ANN.user, id)).rejects.toMatchObject({ code: "job_busy" });
    expect(await jobs.find(ANN.user, id)).toMatchObject({ phase: "failed" });
  });

  it("is cancelled however often that is asked, until it was told", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { settings: { REELAY_RATE_WINDOW_MS: "60000" } });
    const { surface } = core;
    const { jobs } = surface.intake;
    using held = hold(surface, "notice");
    const ids: string[] = [];
    for (let job = 0; job < MORE_THAN_LEAVE; job += 1)
      ids.push((await jobs.submit(ANN, "image", { prompt: "a cat" })).id);
    const waiting = ids.at(-1) ?? "";
    expect(await jobs.remove(ANN.user, waiting)).toBe("cancelled");
    await held.asked;
    expect(await jobs.remove(ANN.user, waiting)).toBe("cancelled");
    expect(await jobs.find(ANN.user, waiting)).toMatchObject({ phase: "cancelled" });
    held[Symbol.dispose]();
    await expect.poll(() => jobs.remove(ANN.user, waiting)).toBe("deleted");
  });
});
