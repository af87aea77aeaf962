import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { TracePoint } from "../../src/domain/jobs/trace.ts";
import { Child, type Home } from "../support/crash-child.ts";
import { madeOf, PHOTOS, tellingRenderer } from "../support/crash-photos.ts";
import { temporaryFolder, testFfmpeg, testSandbox } from "../support/sandbox.ts";
import { homeAt, untilSettled } from "./trial.ts";
import { jobsIn, photoIn } from "./verdict.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const [photo = new Uint8Array(), ...otherPhotos] = PHOTOS;

describe.concurrent("killed", { timeout: 3 * PATIENCE_MS }, () => {
  it("together with the sandbox inside it, it goes on with the same job", async () => {
    const home: Home = {
      data: temporaryFolder(),
      env: { REELAY_FFMPEG: testFfmpeg(), REELAY_RATE_WINDOW_MS: "3000", REELAY_POLL_MS: "250" },
    };
    const asked = { prompt: "slow zoom", photo: 0, accepted: true };
    using first = new Child(home, ["start"], { point: "posted" });
    // It may die before it says so, but what was posted was accepted.
    await first.ask({ prompt: asked.prompt, photo, duration: 3 });
    await first.untilKilled();
    for (const point of ["running", "completed"] as const) {
      using next = new Child(home, ["start"], { point });
      await next.untilKilled();
    }
    using last = new Child(home);
    const [told, ...more] = await untilSettled(last, [asked]);
    expect(more).toEqual([]);
    expect(told).toMatchObject({ kind: "result", media: [{ kind: "video" }] });
    expect(await ledgerInside(home)).toMatchObject({
      submissions: [{ prompt: asked.prompt, cost: told?.kind === "result" ? told.cost : "no result" }],
    });
  });

  it("while a job is taken back, it never submits that job", async () => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    const home = homeAt(sandbox);
    const like = { prompt: "slow zoom", duration: 6 };
    await sandbox.fault({
      kind: "hang",
      accepted: true,
      match: { method: "POST", path: "/api/generate" },
    });
    using first = new Child(home, ["start"], { point: "cancelled" });
    expect(await first.ask({ ...like, photo })).toBe(true);
    await vi.waitFor(async () => expect((await sandbox.ledger()).submissions).toHaveLength(1), {
      timeout: PATIENCE_MS,
    });
    // From outside it looks like the other, so that it waits for the answer that never comes.
    expect(await first.ask({ ...like, photo: otherPhotos[0] ?? photo })).toBe(true);
    await first.press(await cancelButton(first, 1));
    await first.untilKilled();

    using last = new Child(home);
    // Whatever was still queued would be made before it.
    expect(await last.ask({ ...like, photo: otherPhotos[1] ?? photo })).toBe(true);
    const made = await untilResults(last, 2);
    const clips = await Promise.all(made.map(({ media }) => last.file(media[0]?.id ?? "")));
    expect(clips.map(madeOf)).toEqual([0, 2]);
    expect((await sandbox.ledger()).submissions).toHaveLength(2);
  });

  it("on the command line, it is finished by `reelay resume`", async () => {
    await using sandbox = await testSandbox({ render: tellingRenderer });
    const home = homeAt(sandbox);
    await writeFile(join(home.data, "photo.jpg"), photo);
    const points: TracePoint[] = ["submitting", "posted", "running", "deliver", "delivered"];
    for (const point of points) {
      const call = ["run", "video", "--image", "photo.jpg", "--prompt", point, "--out", `${point}.mp4`];
      using child = new Child(home, [...call, "--agree", "terms,consent"], { point });
      await child.untilKilled();
    }
    using interrupted = new Child(home, ["resume"], { point: "delivered", nth: 2 });
    await interrupted.untilKilled();
    using last = new Child(home, ["resume"]);
    expect({ code: await last.ended(), output: last.output }).toMatchObject({ code: 0 });
    const clips = await Promise.all(points.map((point) => readFile(join(home.data, `${point}.mp4`))));
    expect(clips.map(madeOf)).toEqual(points.map(() => 0));
    const { submissions } = await sandbox.ledger();
    expect(submissions).toHaveLength(points.length);
    expect(new Set(submissions.map(({ prompt }) => prompt))).toEqual(new Set(points));
  });
});

/** The books of the sandbox inside the running program. */
async function ledgerInside({ data }: Home): Promise<unknown> {
  const whereabouts: unknown = JSON.parse(await readFile(join(data, "sandbox", "running.json"), "utf8"));
  const { url } = z.object({ url: z.string() }).parse(whereabouts);
  return (await fetch(new URL("/sandbox/ledger", url))).json();
}

/** The button that takes back the job of one photo. */
async function cancelButton(child: Child, ofPhoto: number): Promise<string> {
  return vi.waitFor(
    async () => {
      const told = jobsIn(await child.conversation()).find(({ job }) => photoIn(job.values) === ofPhoto);
      const actions = told?.kind === "progress" ? (told.actions ?? []) : [];
      const button = actions.find(({ label }) => label.key === "action.cancel");
      if (!button) throw new Error(`There is nothing to take back.\n${child.output}`);
      return button.token;
    },
    { timeout: PATIENCE_MS },
  );
}

async function untilResults(child: Child, count: number) {
  return vi.waitFor(
    async () => {
      const told = jobsIn(await child.conversation());
      const results = told.flatMap((one) => (one.kind === "result" ? [one] : []));
      if (results.length < count) throw new Error(`Only ${results.length} results.\n${child.output}`);
      return results;
    },
    { timeout: PATIENCE_MS, interval: 150 },
  );
}
