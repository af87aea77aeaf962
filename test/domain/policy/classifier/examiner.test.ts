import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { checkClassifier, examineClassifier } from "../../../../src/domain/policy/classifier/classifier.ts";
import { classifying } from "../../../../src/domain/policy/classifier/examiner.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const module = join(import.meta.dirname, "classifier-stand-in.js");
const folder = temporaryFolder();
const { signal } = new AbortController();

const pictureOf = (name: string) => ({ path: join(folder, name), digest: "ab".repeat(32), kind: "JPEG" });

beforeAll(async () => {
  for (const background of ["red", "green", "black"])
    await sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .jpeg()
      .toFile(join(folder, background));
});

describe("the classifier as an examiner", () => {
  const examiner = classifying({ module });

  it("flags what is explicit, by the name that mature places excuse", async () => {
    expect(await examiner.look(pictureOf("red"), signal)).toEqual(["sexual"]);
    expect(await examiner.look(pictureOf("green"), signal)).toEqual([]);
    expect(examiner.mature).toEqual(["sexual"]);
  });

  it("has not looked where it failed, or where nobody knows what it is", async () => {
    expect(await examiner.look(pictureOf("black"), signal)).toBe("unchecked");
    expect(await examiner.look({ ...pictureOf("red"), kind: undefined }, signal)).toBe("unchecked");
    await expect(examiner.look(pictureOf("red"), AbortSignal.abort(new Error("enough")))).rejects.toThrow(
      "enough",
    );
  });

  it("is named by its model: what another one said does not count", () => {
    expect(examiner.name).toBe(`classifier ${module}`);
    expect(classifying("on").name).toBe("classifier");
  });
});

it("is checked for packages only where it is the model of nsfwjs", () => {
  expect(() => checkClassifier(undefined)).not.toThrow();
  expect(() => checkClassifier({ module })).not.toThrow();
  expect(examineClassifier({ module })).toEqual({ name: "classifier", ok: true, found: module });
});
