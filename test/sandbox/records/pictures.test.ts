import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { IMAGE_MODELS } from "../../../src/sandbox/catalogues/image-models.ts";
import { drawArt, type Art } from "../../../src/sandbox/render/pictures/art.ts";
import { drawBlend } from "../../../src/sandbox/render/pictures/blend.ts";
import { drawCollage } from "../../../src/sandbox/render/pictures/collage.ts";
import { drawFaceswap } from "../../../src/sandbox/render/pictures/faceswap.ts";
import { drawInpaint } from "../../../src/sandbox/render/pictures/inpaint.ts";
import { treatmentForPrompt } from "../../../src/sandbox/render/pictures/treatment.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const size = { width: 160, height: 120 };

/** Stores a picture; returns its path. */
async function stored(picture: Sharp): Promise<string> {
  const path = join(await mkdtemp(join(temporaryFolder(), "picture-")), "picture.png");
  await picture.png().toFile(path);
  return path;
}

function plain(background: string): Sharp {
  return sharp({ create: { width: 200, height: 150, channels: 3, background } });
}

/** Plain pictures of these colours; returns their paths. */
function plains(...colours: readonly string[]): Promise<string[]> {
  return Promise.all(colours.map((colour) => stored(plain(colour))));
}

function svg(width: number, height: number, shapes: string): Sharp {
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`,
    ),
  );
}

/** What was drawn, decoded: three bytes a pixel. */
async function pixels(drawing: Promise<Sharp>) {
  const png = await (await drawing).png().toBuffer();
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
  return { data, width: info.width, height: info.height, at };
}

/** Share of bytes in which two pictures of one size differ. */
function difference(a: { readonly data: Buffer }, b: { readonly data: Buffer }): number {
  expect(a.data.length).toBe(b.data.length);
  return a.data.filter((value, index) => value !== b.data[index]).length / a.data.length;
}

const art = (fields: Partial<Art> = {}, caption = "", { width, height } = size) =>
  pixels(
    drawArt(
      { prompt: "a quiet lake", seed: 1, scene: "hills", palette: "dusk", ...fields },
      width,
      height,
      caption,
    ),
  );

const blend = (inputs: readonly string[], fields: object = {}) =>
  pixels(drawBlend({ inputs, treatment: {}, caption: "", seed: 1, fine: false, ...size, ...fields }));

/** What an inpainting puts in. */
const green = (w: number, h: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"><rect width="${w}" height="${h}" fill="#12ab34"/></svg>`,
  );

describe("art", () => {
  it("follows from prompt, seed, size and model alone", async () => {
    const first = await art();
    expect(first).toMatchObject(size);
    expect(difference(first, await art())).toBe(0);
    expect(difference(first, await art({ prompt: "a loud lake" }))).toBeGreaterThan(0.05);
    expect(difference(first, await art({ seed: 2 }))).toBeGreaterThan(0.05);
    const models = IMAGE_MODELS.filter(({ lora }) => !lora);
    const drawn = await Promise.all(models.map(({ scene, palette }) => art({ scene, palette })));
    expect(new Set(drawn.map(({ data }) => data.toString("base64"))).size).toBe(models.length);
  });

  it("has the caption in its lower left corner, where there is room for one", async () => {
    const [bare, labelled] = [await art(), await art({}, "a quiet lake")];
    expect(labelled.at(6, 112)).not.toEqual(bare.at(6, 112));
    expect(labelled.at(150, 10)).toEqual(bare.at(150, 10));
    const tiny = { width: 16, height: 1 };
    expect(difference(await art({}, "a quiet lake", tiny), await art({}, "", tiny))).toBe(0);
  });
});

describe("a blend", () => {
  it("shows the first picture, and each further one over a part of it", async () => {
    const [red = "", green = "", blue = ""] = await plains("#c00000", "#00c000", "#0000c0");
    const [one, two, three] = [
      await blend([red]),
      await blend([red, green]),
      await blend([red, green, blue]),
    ];
    for (const changed of [difference(one, two), difference(two, three)]) {
      expect(changed).toBeGreaterThan(0.05);
      expect(changed).toBeLessThan(0.8);
    }
  });

  it("treats what a template asks for", async () => {
    const inputs = await plains("#c04020");
    const bare = await blend(inputs);
    const [red, green, blue] = (await blend(inputs, { treatment: { tone: "mono" } })).at(80, 60);
    expect([green, blue]).toEqual([red, red]);
    const border = await blend(inputs, { treatment: { finish: "border" } });
    expect(border.at(1, 1)).not.toEqual(bare.at(1, 1));
    const snow = await blend(inputs, { treatment: { particles: "snow" } });
    expect(difference(bare, snow)).toBeGreaterThan(0.001);
  });

  it("works out edges in quality mode", async () => {
    const edge = await stored(
      svg(
        200,
        150,
        '<rect width="200" height="150" fill="#505050"/><rect width="100" height="150" fill="#b0b0b0"/>',
      ),
    );
    const brightest = async (fine: boolean) => Math.max(...(await blend([edge], { fine })).data);
    expect(await brightest(true)).toBeGreaterThan(await brightest(false));
  });
});

describe("an inpainting", () => {
  const [width, height] = [90, 70];
  function noise(channels: 3 | 4): Promise<string> {
    const bytes = Buffer.from(
      Array.from({ length: width * height * channels }, (_, at) => (at * 7919) % 256),
    );
    return stored(sharp(bytes, { raw: { width, height, channels } }));
  }

  /** A mask of columns of these greys, of the picture's size or of another one. */
  function mask(greys: readonly number[], rows = height): Promise<string> {
    const bytes = Buffer.concat(Array.from({ length: rows }, () => Buffer.from(greys)));
    return stored(sharp(bytes, { raw: { width: greys.length, height: rows, channels: 1 } }));
  }

  /** Columns of the pixels that an inpainting changed. */
  async function changed(picture: string, maskPath: string): Promise<Set<number>> {
    const drawn = await (await drawInpaint(picture, maskPath, green, "a lake")).png().toBuffer();
    const before = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
    const after = await sharp(drawn).raw().toBuffer({ resolveWithObject: true });
    expect(after.info).toEqual({ ...before.info, size: after.info.size });
    const bytes = [...before.data.keys()].filter((at) => after.data[at] !== before.data[at]);
    return new Set(bytes.map((at) => Math.floor(at / before.info.channels) % width));
  }

  it.each([3, 4] as const)(
    "leaves every pixel outside the mask as it was, of %i channels",
    async (channels) => {
      const greys = Array.from({ length: width }, (_, x) => x * 2);
      const columns = await changed(await noise(channels), await mask(greys));
      expect([...columns].sort((a, b) => a - b)).toEqual(
        greys.flatMap((grey, x) => (grey >= 128 ? [x] : [])),
      );
    },
  );

  it("takes what a mask leaves transparent as not marked", async () => {
    const clear = await stored(sharp({ create: { width, height, channels: 4, background: "#fff0" } }));
    expect((await changed(await noise(3), clear)).size).toBe(0);
  });

  it("stretches a mask of another size", async () => {
    const columns = await changed(await noise(3), await mask([0, 255], 1));
    expect(Math.abs(Math.min(...columns) - width / 2)).toBeLessThan(3);
    expect(Math.max(...columns)).toBe(width - 1);
  });

  it("changes nothing when nothing is marked", async () => {
    const picture = await noise(3);
    const drawn = await pixels(drawInpaint(picture, await mask([0, 100], 1), green, "a lake"));
    expect(difference(drawn, await pixels(Promise.resolve(sharp(picture))))).toBe(0);
  });
});

describe("a collage", () => {
  it.each([1, 2, 3, 5])("shows all of %i pictures on its ground", async (count) => {
    const colours = ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#ff00ff"].slice(0, count);
    const { data } = await pixels(
      drawCollage({
        inputs: await plains(...colours),
        ground: await plain("#777777").resize(400, 300).png().toBuffer(),
        width: 400,
        height: 300,
        treatment: {},
        caption: "party",
        seed: 1,
      }),
    );
    const shown = data.toString("hex").match(/.{6}/g) ?? [];
    for (const colour of [...colours, "#777777"])
      expect(shown.filter((pixel) => `#${pixel}` === colour).length, colour).toBeGreaterThan(1000);
  });
});

describe("a face swap", () => {
  it("lays the source's middle over what catches the eye in the target, and leaves the rest", async () => {
    const target = await stored(
      svg(
        600,
        400,
        '<rect width="600" height="400" fill="#707070"/><circle cx="450" cy="150" r="50" fill="#e0a080"/>',
      ),
    );
    const [source = ""] = await plains("#00ff00");
    const drawn = await pixels(drawFaceswap(target, source, "face swap"));
    expect(drawn).toMatchObject({ width: 600, height: 400 });
    expect(drawn.at(450, 150)).toEqual([0, 255, 0]);
    expect(drawn.at(100, 100)).toEqual([112, 112, 112]);
    expect(drawn.at(30, 380), "the label").not.toEqual([112, 112, 112]);
  });
});

describe("a prompt", () => {
  it("names its treatment, or else its words decide", () => {
    expect(treatmentForPrompt("Golden light and some snow")).toEqual({ tone: "golden", particles: "snow" });
    expect(treatmentForPrompt("make it nicer")).toEqual(treatmentForPrompt("make it nicer"));
    const tones = ["a", "b", "c", "d", "e", "f"].map((prompt) => treatmentForPrompt(prompt).tone);
    expect(new Set(tones).size).toBeGreaterThan(2);
    expect(tones).not.toContain("natural");
  });
});
