import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { Audit } from "../../../../src/domain/audit/audit.ts";
import { ffmpegRenderer } from "../../../../src/sandbox/render/ffmpeg.ts";
import { json } from "../../../infrastructure/api/server.ts";
import { testCore } from "../../../support/core.ts";
import { openModeration, type TestModeration } from "../../../support/moderation.ts";
import { temporaryFolder, testFfmpeg, testPicture, testSandbox } from "../../../support/sandbox.ts";
import { MemorySurface, person } from "../../../support/surface.ts";

let photo: string;

beforeAll(async () => {
  photo = join(temporaryFolder(), "photo.jpg");
  await writeFile(photo, Buffer.from(await testPicture(), "base64"));
});

const ann = person("1", "telegram");

async function openCore({ settings }: TestModeration, more: Readonly<Record<string, string>> = {}) {
  const sandbox = await testSandbox({ render: ffmpegRenderer(testFfmpeg()) });
  const operator = new MemorySurface("web");
  const core = await testCore(sandbox, {
    surface: new MemorySurface("telegram"),
    others: [operator],
    settings: { REELAY_MODERATION_URL: settings.url, REELAY_MODERATION_KEY: settings.key, ...more },
  });
  const audit = await Audit.open(core.database, "digest");
  return {
    core,
    operator,
    surface: core.surface,
    ask: (operation: string, values: Parameters<typeof core.surface.intake.command>[2]) =>
      core.surface.intake.command(ann, operation, values),
    lines: async () => (await audit.read({ limit: 100 })).toReversed().map(({ act, rule }) => [act, rule]),
    /** Waits for a notice instead of a result. */
    notice: (key: string) =>
      core.surface.until(() => core.surface.showing("notice").some(({ text }) => text.key === key)),
    async [Symbol.asyncDispose]() {
      await core[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

const pictures = ({ asked }: TestModeration) => asked.flatMap(({ picture }) => picture ?? []);

describe.concurrent("results, where requests are examined", () => {
  it("are withheld when they are flagged, before anybody sees them, until an operator decides", async () => {
    await using endpoint = await openModeration({ flag: ({ picture }) => (picture ? ["violence"] : []) });
    await using place = await openCore(endpoint);
    await place.ask("image", { prompt: "a lighthouse" });
    await place.notice("report.withheld");
    expect(place.surface.messages.flatMap(({ files }) => files)).toEqual([]);
    await place.operator.until(() => place.operator.showing("notice").length > 0);
    const [told] = place.operator.showing("notice");
    expect(told?.text).toEqual({ key: "report.state.flagged" });
    expect(await place.lines()).toContainEqual([
      "withhold",
      expect.stringMatching(/^moderation .*: violence$/),
    ]);
    const restore = told?.actions?.find(({ token }) => token.startsWith("restore:"))?.token ?? "";
    await place.operator.intake.act(person("me"), restore);
    await place.surface.results(1);
    // Once, although it was delivered twice.
    expect(pictures(endpoint)).toHaveLength(1);
  });

  it("are shown when nothing is flagged; of a video three frames are looked at", async () => {
    await using endpoint = await openModeration();
    await using place = await openCore(endpoint);
    await place.ask("image", { prompt: "a lighthouse" });
    await place.surface.results(1);
    expect(pictures(endpoint)).toHaveLength(1);
    await place.ask("video", { image: { surface: "telegram", id: photo }, prompt: "slow zoom", duration: 3 });
    await place.surface.results(2);
    // The photo, and three frames.
    expect(pictures(endpoint)).toHaveLength(5);
    for (const picture of pictures(endpoint)) expect((await sharp(picture).metadata()).format).toBe("jpeg");
  });

  it("wait where people see it while nobody can be asked, and come by themselves", async () => {
    const pass = json({ results: [{ flagged: false, categories: {} }] });
    // The words pass; then two tries for the picture fail.
    await using endpoint = await openModeration({ first: [pass, json({}, 500), json({}, 500)] });
    await using place = await openCore(endpoint);
    await place.ask("image", { prompt: "a lighthouse" });
    await place.surface.results(1);
    const seen = place.surface.messages[0]?.views.map((view) =>
      view.kind === "progress" ? view.phase : view.kind,
    );
    expect(seen).toContain("awaiting_check");
    expect(seen?.at(-1)).toBe("result");
  });

  it("are let through meanwhile where the operator says so", async () => {
    const pass = json({ results: [{ flagged: false, categories: {} }] });
    await using endpoint = await openModeration({ first: [pass, json({}, 500), json({}, 500)] });
    await using place = await openCore(endpoint, { REELAY_MODERATION_DOWN: "open" });
    await place.ask("image", { prompt: "a lighthouse" });
    await place.surface.results(1);
    const seen = place.surface.messages[0]?.views.map((view) => (view.kind === "progress" ? view.phase : ""));
    expect(seen).not.toContain("awaiting_check");
  });
});
