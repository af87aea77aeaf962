import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { mediaIn } from "../../../src/seam/values.ts";
import { withoutBrowser } from "../../support/browser.ts";
import { choose, forEachTest, type GivenFile } from "./support/page.ts";

/** On its side, as cameras save portraits: upright it is 200 by 300. */
async function portrait(background: string): Promise<GivenFile> {
  const buffer = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();
  return { name: `${background}.jpg`, mimeType: "image/jpeg", buffer };
}

describe.skipIf(withoutBrowser())("masks", () => {
  const on = forEachTest();
  const confirm = () => on.page.getByRole("button", { name: "Use the marked part" });

  /** Paints along points, in shares of the picture's width and height. */
  async function paint(...points: [number, number][]) {
    const box = await on.page.locator(".easel canvas").boundingBox();
    if (!box) throw new Error("The canvas is not there.");
    for (const [index, [x, y]] of points.entries()) {
      await on.page.mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: 4 });
      if (index === 0) await on.page.mouse.down();
    }
    await on.page.mouse.up();
  }

  async function beginMask() {
    await choose(on.page, "Repaint a part");
    await on.page.locator(".files-image input").setInputFiles(await portrait("teal"));
    await on.page.getByRole("button", { name: "Marked part: Mark a part" }).click();
    await on.page.locator(".ring").waitFor({ state: "attached" });
  }

  /** How light the mask is that was sent, at points in shares of its width and height; 255 is white. */
  async function sentMask(...points: [number, number][]) {
    await confirm().click();
    await on.page.getByRole("dialog").waitFor({ state: "detached" });
    await on.page.getByRole("textbox").fill("a vase");
    await on.page.getByRole("button", { name: /^Generate .*token/ }).click();
    await on.page.getByRole("img", { name: "The finished picture" }).waitFor();
    const [mask] = mediaIn(on.site.core.heard.at(-1)?.values["mask"]);
    const file = Buffer.concat(await (await on.site.files.open(mask?.id ?? "")).toArray());
    const { format } = await sharp(file).metadata();
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const at = ([x, y]: [number, number]) =>
      data[(Math.floor(y * height) * width + Math.floor(x * width)) * channels];
    return { format, width, height, light: points.map(at) };
  }

  // 1280 by 800 pixels at 200 %.
  it("has its tools beside the picture in a low window, where they are within reach", async () => {
    await beginMask();
    await on.page.setViewportSize({ width: 640, height: 400 });
    const picture = await on.page.locator(".easel").boundingBox();
    const tools = await on.page.locator(".mask-tools").boundingBox();
    expect(tools?.x).toBeGreaterThan((picture?.x ?? 0) + (picture?.width ?? 0));
    expect(tools?.height).toBeGreaterThan(120);
    await paint([0.5, 0.5], [0.6, 0.6]);
    await confirm().click();
    await on.page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("are painted, and sent as a PNG of the upright picture's size, white where it was painted", async () => {
    await beginMask();
    expect(await confirm().getAttribute("aria-disabled")).toBe("true");
    await paint([0.2, 0.25], [0.8, 0.25]);
    await on.page.getByText(/\d+% of the picture is marked/).waitFor();
    await on.page.getByRole("radio", { name: "Eraser" }).check();
    await paint([0.5, 0.25]);
    const mask = await sentMask([0.3, 0.25], [0.5, 0.25], [0.7, 0.25], [0.5, 0.75], [0.02, 0.02]);
    expect(mask).toEqual({ format: "png", width: 200, height: 300, light: [255, 0, 255, 0, 0] });
    // The request shows what was marked.
    expect(await on.page.locator(".given .tint").count()).toBe(1);
  });

  it("are marked by whole regions without painting, undone, cleared and inverted", async () => {
    await beginMask();
    const region = (name: string) => on.page.getByRole("button", { name, exact: true });
    await region("Top left").press("Enter");
    await region("Centre").press("Enter");
    expect(await region("Centre").getAttribute("aria-pressed")).toBe("true");
    await region("Undo").click();
    expect(await region("Centre").getAttribute("aria-pressed")).toBe("false");
    await region("Clear").click();
    await on.page.getByText("Paint over the part to repaint").waitFor();
    await region("Undo").click();
    await region("Invert").click();
    const mask = await sentMask([0.1, 0.1], [0.5, 0.5], [0.9, 0.9]);
    expect(mask.light).toEqual([0, 255, 255]);
  });

  it("may be brought along as a file, and go on from there", async () => {
    await beginMask();
    const half = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="30">
      <path fill="black" d="M0 0h20v30H0z"/><path fill="white" d="M0 0h10v30H0z"/>
    </svg>`;
    const buffer = await sharp(Buffer.from(half)).png().toBuffer();
    await on.page
      .locator(".mask-tools input[type=file]")
      .setInputFiles({ name: "half.png", mimeType: "image/png", buffer });
    await on.page.getByText("50% of the picture is marked").waitFor();
    await on.page.getByRole("button", { name: "Right", exact: true }).click();
    const mask = await sentMask([0.2, 0.5], [0.8, 0.1], [0.8, 0.5], [0.8, 0.9]);
    expect(mask.light).toEqual([255, 0, 255, 0]);
  });

  it("are not lost by Escape, and only go with their picture, with a word about it", async () => {
    await beginMask();
    await paint([0.5, 0.5]);
    await on.page.getByText(/\d+% of the picture is marked/).waitFor();
    await on.page.keyboard.press("Escape");
    await on.page.getByRole("dialog").waitFor({ state: "detached" });
    await on.page.getByText("Still missing: Marked part.").waitFor();
    await on.page.getByRole("button", { name: "Marked part: Continue marking" }).click();
    await on.page.getByText(/\d+% of the picture is marked/).waitFor();
    await confirm().click();
    await on.page.locator(".composer .tint").waitFor();

    await on.page.locator(".files-image input").setInputFiles(await portrait("maroon"));
    await on.page.getByText("The picture has changed", { exact: false }).waitFor();
    expect(await on.page.locator(".composer .tint").count()).toBe(0);
    await on.page.getByRole("button", { name: "Marked part: Mark a part" }).waitFor();
  });
});
