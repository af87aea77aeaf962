import { execFileSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WHATSAPP } from "../../../adapters/whatsapp/api/limits.ts";
import { clip, drawn, largeClip, picture, result } from "../../support/results.ts";
import { temporaryFolder, testFfmpeg } from "../../support/sandbox.ts";
import type { MessageBody } from "../../support/whatsapp/wire.ts";
import { harness, photo } from "./harness.ts";

/** A clip of a second, coded and put into a file as ffmpeg is told to. */
function coded(name: string, ...args: readonly string[]): string {
  const path = join(temporaryFolder(), name);
  const [seen, heard] = ["testsrc2=size=320x568:rate=24:duration=1", "sine=frequency=440:duration=1"];
  const sources = ["-f", "lavfi", "-i", seen, "-f", "lavfi", "-i", heard];
  execFileSync(testFfmpeg(), ["-loglevel", "error", ...sources, "-pix_fmt", "yuv420p", ...args, path]);
  return path;
}

/** What a message carries a file as; nothing where it carries none. */
const formOf = ({ type, interactive }: MessageBody) => interactive?.header?.type ?? type;

/** Has a result told of to somebody who sent a photo. @returns what was posted */
async function told(kind: "video" | "image", path: string) {
  const at = await harness();
  const ann = await at.regular("Ann");
  const { id: replyTo } = ann.sendsPhoto(photo);
  await ann.sees(() => true);
  await at.whatsapp.untilHeard();
  const before = at.whatsapp.calls("messages").length;
  await at.adapter.surface.deliver({ chat: ann.waId, locale: "en", replyTo }, result(kind, path));
  await at.whatsapp.untilHeard();
  const posted = at.whatsapp
    .calls("messages")
    .slice(before)
    .filter(({ body, error }) => !error && body.type !== "reaction" && body.status === undefined);
  const said = ann.chat().findLast(({ from }) => from === "bot");
  return {
    forms: posted.map(({ body }) => formOf(body)),
    /** Whether the person has the file as it was made, and whether they have a link to it. */
    isWhole: said?.file?.bytes.equals(await readFile(path)) === true,
    isLinked: said?.text.includes("https://studio.example.com/") === true,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

const h264 = ["-c:v", "libx264", "-preset", "ultrafast"];

describe("a film that ffmpeg made", () => {
  it.each<[what: string, path: () => Promise<string> | string, as: string]>([
    ["of H.264 without sound", () => clip, "video"],
    ["of H.264 and AAC", () => coded("aac.mp4", ...h264, "-c:a", "aac"), "video"],
    [
      "whose index stands at its end",
      () => coded("late.mp4", ...h264, "-c:a", "aac", "-movflags", "-faststart"),
      "video",
    ],
    ["of exactly as many bytes as a video may have", () => largeClip(WHATSAPP.video - 1_000), "video"],
    ["of one byte more", () => largeClip(WHATSAPP.video - 999), "document"],
    ["of another codec", () => coded("mpeg4.mp4", "-c:v", "mpeg4", "-c:a", "aac"), "document"],
    ["with a sound of another codec", () => coded("ac3.mp4", ...h264, "-c:a", "ac3"), "document"],
    ["larger than any document", () => largeClip(WHATSAPP.document - 999), "interactive"],
  ])("%s comes as what WhatsApp takes", async (_what, path, as) => {
    const file = await path();
    await using at = await told("video", file);
    expect(at.forms).toEqual([as]);
    expect(at.isWhole).toBe(as !== "interactive");
    expect(at.isLinked).toBe(as === "interactive");
  });
});

describe("a picture that was made", () => {
  it("is shown, and comes as a file as well, because WhatsApp makes pictures smaller", async () => {
    await using at = await told("image", picture);
    expect(at.forms).toEqual(["image", "document"]);
    expect(at.isWhole).toBe(true);
  });

  it("is a link where it is larger than pictures may be: what is handed over counts as what it is, however it is sent", async () => {
    const path = await drawn(1_600, 1_200, true);
    expect((await stat(path)).size).toBeGreaterThan(WHATSAPP.image);
    await using at = await told("image", path);
    expect(at.forms).toEqual(["interactive"]);
    expect(at.isLinked).toBe(true);
  });
});
