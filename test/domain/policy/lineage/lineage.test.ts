import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { Origin } from "../../../../src/seam/origin.ts";
import type { MediaRef } from "../../../../src/seam/values.ts";
import { oldPictures } from "../../../../src/domain/retention/old-rows.ts";
import { serve } from "../../../infrastructure/api/server.ts";
import { type TestCore, testCore } from "../../../support/core.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../../support/sandbox.ts";
import { MemorySurface, person } from "../../../support/surface.ts";
import { eventually } from "../../../support/eventually.ts";

let photo: MediaRef;

beforeAll(async () => {
  photo = await keep(Buffer.from(await testPicture(), "base64"));
});

const adult: Origin = { ...person("1", "telegram"), agreed: ["terms", "consent", "faces", "adult"] };

/** A file that somebody gives. */
async function keep(content: Buffer): Promise<MediaRef> {
  const path = join(temporaryFolder(), "photo");
  await writeFile(path, content);
  return { surface: "telegram", id: path };
}

/** What a messenger makes of a picture. */
const recompressed = (picture: Buffer) =>
  sharp(picture).resize(640, 640, { fit: "inside" }).jpeg({ quality: 60 }).toBuffer();

async function openCore(settings: Readonly<Record<string, string>> = {}) {
  const sandbox = await testSandbox();
  const core = await testCore(sandbox, { surface: new MemorySurface("telegram"), settings });
  const { surface } = core;
  return {
    core,
    sandbox,
    ask: (operation: string, values: Parameters<typeof surface.intake.command>[2], origin = adult) =>
      surface.intake.command(origin, operation, values),
    /** The file of the result that comes next. */
    async made(operation: string, values: Parameters<typeof surface.intake.command>[2]): Promise<Buffer> {
      const before = surface.showing("result").length;
      await surface.intake.command(adult, operation, values);
      await surface.results(before + 1);
      const file = surface.messages.findLast(({ files }) => files.length > 0)?.files[0];
      if (!file) throw new Error("There is no file.");
      return file;
    },
    async [Symbol.asyncDispose]() {
      await core[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

const problems = ({ surface }: TestCore) => surface.showing("problem").map(({ problem }) => problem.code);

const CHILD = { prompt: "a 12 year old girl in a meadow" };

describe.concurrent("a picture that was made here", () => {
  it.each([
    ["as it is", async (picture: Buffer) => picture],
    ["as a messenger sends it back", recompressed],
  ])("carries what was said when it was made into the next request: %s", async (_title, sent) => {
    await using place = await openCore();
    const picture = await keep(await sent(await place.made("image", CHILD)));
    await place.ask("video", { image: picture, prompt: "sexy dance" });
    expect(problems(place.core)).toEqual(["minors_refused"]);
    await place.ask("video", { image: photo, prompt: "sexy dance" });
    await place.core.surface.results(2);
    await place.ask("video", { image: picture, prompt: "slow zoom" });
    await place.core.surface.results(3);
  });

  it("carries it through a chain of three", async () => {
    await using place = await openCore();
    const first = await keep(await place.made("image", CHILD));
    const second = await keep(await place.made("image-edit", { images: [first], prompt: "in the snow" }));
    await place.ask("video", { image: second, prompt: "sexy dance" });
    expect(problems(place.core)).toEqual(["minors_refused"]);
  });

  it("is known by the address of the service's own file", async () => {
    const files: Buffer[] = [];
    await using server = await serve((_request, response) => void response.end(files[0]));
    await using place = await openCore({ REELAY_PRIVATE_HOSTS: new URL(server.origin).hostname });
    files.push(await place.made("image", CHILD));
    const image = { surface: "telegram", id: `${server.origin}/result.png` } as const;
    await place.ask("video", { image, prompt: "sexy dance" });
    expect(problems(place.core)).toEqual(["minors_refused"]);
  });

  it("counts as sexual together with somebody's photo, and not by itself", async () => {
    await using place = await openCore();
    const nude = await keep(await place.made("image", { prompt: "a naked woman at a lake" }));
    await place.ask("faceswap", { target: nude, source: photo });
    expect(problems(place.core)).toEqual(["undressing_refused"]);
    await place.ask("video", { image: nude, prompt: "slow zoom" });
    await place.core.surface.results(2);
  });

  it("is forgotten with jobs of its age, not with whoever made it", async () => {
    await using place = await openCore();
    const file = await place.made("image", CHILD);
    const { kysely } = place.core.database;
    const jobs = () => kysely.selectFrom("jobs").select("delivery").execute();
    await eventually(async () => expect(await jobs()).toEqual([{ delivery: "delivered" }]));
    await place.ask("forget", {});
    const token = place.core.surface.showing("notice").at(-1)?.actions?.[0]?.token ?? "";
    await place.core.surface.intake.act(adult, token);
    expect(await jobs()).toEqual([]);
    const { at, ...row } = await kysely.selectFrom("made_pictures").selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toMatch(/telegram|12 year|girl/);
    expect(await oldPictures(at)(place.core.database)).toBe(0);
    await place.ask("video", { image: await keep(file), prompt: "sexy dance" });
    expect(problems(place.core)).toEqual(["minors_refused"]);
    expect(await oldPictures(at + 1)(place.core.database)).toBe(1);
    for (const table of ["made_pictures", "made_looks"] as const)
      expect(await kysely.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});
