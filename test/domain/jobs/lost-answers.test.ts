import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { translator } from "../../../src/common/i18n.ts";
import type { MediaRef } from "../../../src/seam/values.ts";
import type { View } from "../../../src/seam/views.ts";
import { type TestCore, testCore } from "../../support/core.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

const ann = person("ann");
const toImage = { method: "POST", path: "/api/generate/image" };
let photo: MediaRef;
let mask: MediaRef;

beforeAll(async () => {
  const folder = temporaryFolder();
  photo = { surface: "web", id: join(folder, "photo.jpg") };
  mask = { surface: "web", id: join(folder, "mask.png") };
  await writeFile(photo.id, Buffer.from(await testPicture(), "base64"));
  await sharp({ create: { width: 320, height: 240, channels: 3, background: "white" } }).toFile(mask.id);
});

const phases = ({ surface }: TestCore) => surface.showing("progress").map(({ phase }) => phase);
const codes = (views: readonly Extract<View, { kind: "problem" }>[]) =>
  views.map(({ problem }) => problem.code);

/** Makes one picture: from then on its price is known, and that the statistics count such jobs. */
async function makeOne({ surface }: TestCore): Promise<void> {
  await surface.intake.command(ann, "image", { prompt: "a harbour" });
  await surface.results(1);
}

describe.concurrent("a lost answer of what the job list does not show", () => {
  it.each(["reset-before", "500"])("(%s) is sent again when it is proven not accepted", async (kind) => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    await makeOne(core);
    await sandbox.fault({ kind, match: toImage });
    await core.surface.intake.command(ann, "image", { prompt: "a lighthouse" });
    await core.surface.results(2);
    expect((await sandbox.ledger()).submissions).toHaveLength(2);
  });

  it("is never sent again when something was charged, and the person is told how much", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    await makeOne(core);
    await sandbox.fault({ kind: "reset-after", match: toImage });
    await core.surface.intake.command(ann, "image", { prompt: "a lighthouse" });
    await core.surface.until(() => core.surface.showing("problem").length > 0);
    const { submissions } = await sandbox.ledger();
    const cost = submissions[1]?.cost;
    expect(codes(core.surface.showing("problem"))).toEqual(["lost_charged"]);
    expect(core.surface.showing("problem")[0]).toMatchObject({
      charged: cost,
      problem: { params: { tokens: cost } },
    });
    expect(submissions).toHaveLength(2);
  });

  it("is never sent again where its price is not known: it may be free", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    await sandbox.fault({ kind: "reset-before", match: toImage });
    await core.surface.intake.command(ann, "image", { prompt: "a lighthouse" });
    await core.surface.until(() => core.surface.showing("problem").length > 0);
    expect(codes(core.surface.showing("problem"))).toEqual(["lost_track"]);
    expect(core.surface.showing("problem")[0]?.charged).toBeNull();
    expect((await sandbox.ledger()).submissions).toEqual([]);
  });

  it("is told of without a word of a charge where the balance fell, but its price is not known", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    await sandbox.fault({ kind: "reset-after", match: toImage });
    await core.surface.intake.command(ann, "image", { prompt: "a lighthouse" });
    await core.surface.until(() => core.surface.showing("problem").length > 0);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
    const [shown] = core.surface.showing("problem");
    expect(shown).toMatchObject({ charged: null, problem: { code: "lost_track" } });
    expect(translator("en")("error.lost_track")).toMatch(
      /balance does not show it either: its price is not known/,
    );
  });

  it("is told apart from what the key's other jobs were charged meanwhile", async () => {
    await using sandbox = await testSandbox({ jobSeconds: [150, 150] });
    await using core = await testCore(sandbox);
    await makeOne(core);
    await sandbox.fault({ kind: "reset-before", match: toImage });
    await core.surface.intake.command(ann, "image", { prompt: "a lighthouse" });
    await core.surface.until(() => phases(core).includes("checking"));
    await core.surface.intake.command(person("ben"), "image-edit", { images: [photo], prompt: "winter" });
    await core.surface.results(3);
    expect((await sandbox.ledger()).submissions.map(({ type }) => type)).toEqual([
      "image",
      "image_edit",
      "image",
    ]);
  });
});

describe.concurrent("the answer of something between to what the service accepted", () => {
  it.each([400, 401, 402, 403, 404, 413, 429])("(%i) is lost: one picture, one charge", async (status) => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const match = { method: "POST", path: "/api/generate/image-edit" };
    await sandbox.fault({ kind: "html", status, accepted: true, match });
    await core.surface.intake.command(ann, "image-edit", { images: [photo], prompt: "winter" });
    const shown = (kind: "result" | "problem") => core.surface.showing(kind);
    await core.surface.until(() => shown("result").length + shown("problem").length > 0);
    expect(codes(core.surface.showing("problem"))).toEqual([]);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  });
});

describe.concurrent("a lost answer of what the job list shows by its type alone", () => {
  it.each(["reset-after", "truncated"])("(%s) is adopted: one picture, one charge", async (kind) => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    await sandbox.fault({ kind, match: { method: "POST", path: "/api/generate/image-edit" } });
    await core.surface.intake.command(ann, "image-edit", { images: [photo], prompt: "winter" });
    await core.surface.results(1);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  });

  it("is not mistaken for an inpainting, which is of the same type", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    await sandbox.fault({ kind: "reset-after", match: { method: "POST", path: "/api/generate/image-edit" } });
    await core.surface.intake.command(ann, "image-edit", { images: [photo], prompt: "winter" });
    await core.surface.intake.command(person("ben"), "inpaint", { image: photo, mask, prompt: "tulips" });
    const results = await core.surface.results(2);
    const { submissions } = await sandbox.ledger();
    const costs = new Map<unknown, number>(submissions.map(({ prompt, cost }) => [prompt, cost]));
    expect(submissions).toHaveLength(2);
    expect(costs.get("tulips")).not.toBe(costs.get("winter"));
    expect(results.map(({ balance }) => balance)).not.toContain(null);
    for (const { job, cost } of results) expect(cost).toBe(costs.get(job.values["prompt"]));
  });
});
