import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type MediaRef, mediaIn, type Values } from "../../../../src/seam/values.ts";
import type { ResultView } from "../../../../src/seam/views.ts";
import { copyRenderer } from "../../../../src/sandbox/sandbox.ts";
import { testCore, type TestCore } from "../../../support/core.ts";
import { temporaryFolder, testFfmpeg, testPicture, testSandbox } from "../../../support/sandbox.ts";
import { person } from "../../../support/surface.ts";

const ann = person("ann");

let photo: MediaRef;
/** Red at its beginning, blue at its end. */
let redToBlue: string;
/** With something to be recognised by. */
let moving: string;

function clipOf(name: string, sources: string): string {
  const path = join(temporaryFolder(), name);
  const made = `-v error ${sources} -pix_fmt yuv420p -movflags +faststart`;
  execFileSync(testFfmpeg(), [...made.split(" "), path]);
  return path;
}

beforeAll(async () => {
  const path = join(temporaryFolder(), "photo.jpg");
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  photo = { surface: "web", id: path };
  const colours = "-f lavfi -i color=c=red:s=64x64:d=1 -f lavfi -i color=c=blue:s=64x64:d=1";
  redToBlue = clipOf("red-to-blue.mp4", `${colours} -filter_complex [0][1]concat=n=2`);
  moving = clipOf("moving.mp4", "-f lavfi -i mandelbrot=s=320x240 -t 1");
});

async function made(core: TestCore, operation: string, values: Values): Promise<ResultView> {
  const { surface } = core;
  const { length } = surface.showing("result");
  await surface.intake.command(ann, operation, values);
  const result = (await surface.results(length + 1)).at(-1);
  if (!result) throw new Error("There is no result.");
  return result;
}

const buttonOf = ({ actions }: ResultView) => {
  const found = actions.find(({ token }) => token.startsWith("go-on:"));
  if (!found) throw new Error("There is no button.");
  return found;
};

/** The picture in the form that was asked last. */
const picture = ({ surface }: TestCore) => mediaIn(surface.forms.at(-1)?.values["image"])[0]?.id ?? "";

const problems = ({ surface }: TestCore) => surface.showing("problem").map(({ problem }) => problem.code);

describe("the next from a result", () => {
  it("asks for a film of a picture that was made, which then is made", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const image = await made(core, "image", { prompt: "a lighthouse" });
    expect(buttonOf(image).label.key).toBe("action.go_on");
    await core.surface.intake.act(ann, buttonOf(image).token);
    expect(core.surface.forms.map(({ id }) => id)).toEqual(["video"]);
    const [file] = core.surface.messages.find(({ views }) => views.at(-1) === image)?.files ?? [];
    expect(await readFile(picture(core))).toEqual(file);
    await made(core, "video", { ...core.surface.forms[0]?.values, prompt: "slow zoom" });
    expect((await sandbox.ledger()).submissions).toHaveLength(2);
  });

  it("goes on where a film ends", async () => {
    await using sandbox = await testSandbox({ render: copyRenderer(redToBlue) });
    await using core = await testCore(sandbox);
    const film = await made(core, "video", { image: photo, prompt: "slow zoom" });
    expect(buttonOf(film).label.key).toBe("action.go_on.film");
    await core.surface.intake.act(ann, buttonOf(film).token);
    const { dominant } = await sharp(picture(core)).stats();
    expect(dominant.b).toBeGreaterThan(200);
    expect(dominant.r).toBeLessThan(50);
  });

  it("knows of a film's last frame who is in the film", async () => {
    await using sandbox = await testSandbox({ render: copyRenderer(moving) });
    await using core = await testCore(sandbox);
    const film = await made(core, "video", { image: photo, prompt: "a little girl laughs" });
    await core.surface.intake.act(ann, buttonOf(film).token);
    const undressed = { ...core.surface.forms[0]?.values, prompt: "she undresses and is nude" };
    await core.surface.intake.command(ann, "video", undressed);
    expect(problems(core)).toEqual(["minors_refused"]);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  });

  it("is nobody else's, and nothing once the job is gone or was never finished", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const image = await made(core, "image", { prompt: "a lighthouse" });
    await core.surface.intake.act(person("bob"), buttonOf(image).token);
    await core.surface.intake.act(ann, `delete-now:${image.job.id}`);
    await core.surface.intake.act(ann, buttonOf(image).token);
    expect(problems(core)).toEqual(["not_yours", "stale_button"]);
    expect(core.surface.forms).toEqual([]);
  });

  it("says so where the service has the file no more", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const image = await made(core, "image", { prompt: "a lighthouse" });
    await sandbox.fault({ kind: "html", match: { path: "/results" }, times: 99 });
    await core.surface.intake.act(ann, buttonOf(image).token);
    expect(problems(core)).toHaveLength(1);
    expect(core.surface.forms).toEqual([]);
  });
});
