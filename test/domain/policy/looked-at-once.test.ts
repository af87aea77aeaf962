import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { decode } from "../../../src/infrastructure/media/decoder/decoder.ts";
import { fieldsOf } from "../../../src/domain/operations/fields.ts";
import { operationOf } from "../../../src/domain/operations/registry.ts";
import { testCore } from "../../support/core.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { MemorySurface, person } from "../../support/surface.ts";

vi.mock(import("../../../src/infrastructure/media/decoder/decoder.ts"), { spy: true });
beforeEach(() => void vi.mocked(decode).mockClear());

/** How often the photo was looked into. It is decoded to be sent, too, each time: that takes the picture itself. */
const looks = () =>
  vi.mocked(decode).mock.calls.filter(([task, input]) => {
    if (task === "makeImage") return "maxSide" in input && input.maxSide < 4096;
    // What comes back is a video, of which frames are looked at.
    return task === "lookOf" && "kind" in input && input.kind === "JPEG";
  }).length;

const ann = person("1", "telegram");
const photo = Buffer.from(await testPicture(), "base64");

/** A picture that nobody has seen yet, under two names. */
async function twoCopies(name: string) {
  const content = Buffer.concat([photo, Buffer.from(name)]);
  const paths = ["one", "other"].map((file) => join(temporaryFolder(), file));
  for (const path of paths) await writeFile(path, content);
  const [one = "", other = ""] = paths;
  return { one: { surface: "telegram", id: one }, other: { surface: "telegram", id: other } } as const;
}

const fields = fieldsOf(operationOf("video").schema);

it("looks into a picture when it comes, and not when it is asked for, asked for again or comes again", async () => {
  await using sandbox = await testSandbox();
  await using core = await testCore(sandbox, { surface: new MemorySurface("telegram") });
  const { surface } = core;
  const { one, other } = await twoCopies("first");
  expect(await surface.intake.examine(ann, fields, { image: one })).toEqual([]);
  expect(looks()).toBe(2);
  // The first is asked to state something, and decided about again.
  await surface.intake.command(ann, "video", { image: one, prompt: "slow zoom" });
  const agreed = { ...ann, agreed: ["terms", "consent", "faces"] } as const;
  await surface.intake.command(agreed, "video", { image: one, prompt: "slow zoom" });
  await surface.intake.command(agreed, "video", { image: other, prompt: "pan left" });
  expect(await surface.intake.examine(ann, fields, { image: other })).toEqual([]);
  await surface.results(2);
  expect(looks()).toBe(2);
});

it("looks into one once that never came by itself", async () => {
  await using sandbox = await testSandbox();
  await using core = await testCore(sandbox, { surface: new MemorySurface("telegram") });
  const { surface } = core;
  const { one, other } = await twoCopies("second");
  const agreed = { ...ann, agreed: ["terms", "consent", "faces"] } as const;
  await surface.intake.command(agreed, "video", { image: one, prompt: "slow zoom" });
  await surface.intake.command(agreed, "video", { image: other, prompt: "pan left" });
  await surface.results(2);
  expect(looks()).toBe(1);
});
