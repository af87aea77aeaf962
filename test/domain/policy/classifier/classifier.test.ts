import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Origin } from "../../../../src/seam/origin.ts";
import type { MediaRef } from "../../../../src/seam/values.ts";
import { examine } from "../../../../src/app/doctor.ts";
import { serve } from "../../../infrastructure/api/server.ts";
import { type TestCore, testCore } from "../../../support/core.ts";
import { temporaryFolder, testSandbox } from "../../../support/sandbox.ts";
import { MemorySurface, person } from "../../../support/surface.ts";

const module = join(import.meta.dirname, "classifier-stand-in.js");

const ann = person("1", "telegram");
const adult: Origin = { ...ann, agreed: ["terms", "consent", "adult"] };

async function picture(background: string): Promise<MediaRef> {
  const path = join(temporaryFolder(), "picture.jpg");
  const content = sharp({ create: { width: 300, height: 300, channels: 3, background } }).jpeg();
  await writeFile(path, await content.toBuffer());
  return { surface: "telegram", id: path };
}

async function openCore(settings: Readonly<Record<string, string>> = {}) {
  const sandbox = await testSandbox();
  const core = await testCore(sandbox, {
    surface: new MemorySurface("telegram"),
    settings: { REELAY_CLASSIFIER: module, ...settings },
  });
  return {
    core,
    zoom: async (image: MediaRef, origin = ann, prompt = "slow zoom") =>
      core.surface.intake.command(origin, "video", { image, prompt }),
    sent: async () => (await sandbox.ledger()).submissions.length,
    async [Symbol.asyncDispose]() {
      await core[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

const problems = ({ surface }: TestCore) => surface.showing("problem").map(({ problem }) => problem.code);

describe.concurrent("the classifier on this machine", () => {
  it("refuses an explicit picture before anything is sent, and lets others through", async () => {
    await using place = await openCore();
    await place.zoom(await picture("red"));
    expect(problems(place.core)).toEqual(["mature_picture"]);
    expect(await place.sent()).toBe(0);
    await place.zoom(await picture("green"));
    await place.core.surface.results(1);
  });

  it("lets adults have it where mature things are made, but nothing that is refused everywhere", async () => {
    await using place = await openCore({ REELAY_MATURE: "on" });
    const red = await picture("red");
    await place.zoom(red);
    expect(place.core.surface.showing("notice").map(({ text }) => text.key)).toEqual(["statement.adult"]);
    await place.zoom(red, adult);
    await place.core.surface.results(1);
    await place.zoom(red, adult, "a 12 year old girl");
    await place.zoom(red, adult, "take off her clothes");
    expect(problems(place.core)).toEqual(["minors_refused", "undressing_refused"]);
  });

  it("lets nothing through that it could not look at, and goes on afterwards", async () => {
    await using place = await openCore();
    await place.zoom(await picture("black"));
    expect(problems(place.core)).toEqual(["moderation_down"]);
    expect(await place.sent()).toBe(0);
    await place.zoom(await picture("green"));
    await place.core.surface.results(1);
  });

  it("withholds an explicit result where nothing mature was asked for", async () => {
    const everything = join(temporaryFolder(), "everything.js");
    await writeFile(everything, "export const load = async () => async () => ({ Porn: 1 });");
    await using place = await openCore({ REELAY_CLASSIFIER: everything });
    const { surface } = place.core;
    await surface.intake.command(ann, "image", { prompt: "a lighthouse" });
    await surface.until(() => surface.showing("notice").some(({ text }) => text.key === "report.withheld"));
    expect(surface.messages.flatMap(({ files }) => files)).toEqual([]);
  });

  it("is not asked where it is off", async () => {
    await using place = await openCore({ REELAY_CLASSIFIER: "off" });
    await place.zoom(await picture("red"));
    expect(await place.core.surface.results(1)).toHaveLength(1);
  });

  it("stops the start, and tells the doctor, in words that say what to install", async () => {
    const settings = { REELAY_CLASSIFIER: "on" };
    await using sandbox = await testSandbox();
    await expect(testCore(sandbox, { settings })).rejects.toThrow(/REELAY_CLASSIFIER.*npm install nsfwjs@4/s);
    await using server = await serve((_request, response) => void response.end("{}"));
    const env = { ...settings, REELAY_API_URL: `${server.origin}/api`, REELAY_DATA: temporaryFolder() };
    const checks = await examine(env);
    expect(checks.find(({ name }) => name === "classifier")).toMatchObject({
      ok: false,
      advice: expect.stringContaining("npm install nsfwjs@4"),
    });
  });
});
