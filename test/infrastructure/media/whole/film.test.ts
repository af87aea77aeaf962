import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ReelayError } from "../../../../src/common/errors.ts";
import { temporaryFolder, testFfmpeg } from "../../../support/sandbox.ts";
import { checkFilmAt } from "./check-film-at.ts";

const folder = temporaryFolder();
const seconds = "1";
const picture = ["-f", "lavfi", "-i", `testsrc2=size=96x64:rate=12:duration=${seconds}`];
const sound = ["-f", "lavfi", "-i", `sine=duration=${seconds}`];
const silence = ["-f", "lavfi", "-i", "anullsrc", "-t", seconds];
const h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p"];
const fragmented = ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-g", "4"];

function made(name: string, ...args: string[]): string {
  const path = join(folder, name);
  execFileSync(testFfmpeg(), ["-loglevel", "error", "-y", ...args, path]);
  return path;
}

/** The same film, changed. */
function changed(path: string, change: (bytes: Buffer) => Buffer): string {
  const other = join(folder, `changed-${Math.random()}`);
  writeFileSync(other, change(readFileSync(path)));
  return other;
}

const black = ["-f", "lavfi", "-i", "color=black:size=96x64:rate=12:duration=1"];
const film = made("film.mp4", ...picture, ...sound, ...h264);
const first = made("first.mp4", ...picture, ...sound, ...h264, "-movflags", "+faststart");
const fragments = made("fragments.mp4", ...picture, ...sound, ...h264, ...fragmented);
/** One that is not read at once. */
const large = made(
  "large.mp4",
  "-f",
  "lavfi",
  "-i",
  "testsrc2=size=640x360:rate=12:duration=1",
  ...h264,
  "-crf",
  "1",
);

/** Why it is no result. */
const refusal = async (path: string) => {
  const error: unknown = await checkFilmAt(path, "video/mp4").catch((thrown: unknown) => thrown);
  return error instanceof ReelayError ? error.code : error;
};

/** Films that play, however unusual they are. */
const UNUSUAL: Record<string, readonly string[]> = {
  "whose sound comes first": [...sound, ...picture, ...h264, "-map", "0", "-map", "1"],
  "with its tables first": [...picture, ...h264, "-movflags", "+faststart"],
  "in fragments that tell where they begin": [...picture, ...h264, "-movflags", "frag_keyframe", "-g", "3"],
  "in fragments with silence": [...picture, ...silence, ...h264, ...fragmented],
  "in fragments of one frame": [...picture, ...h264, "-movflags", "frag_every_frame+empty_moov"],
  "in fragments for each track": [...picture, ...sound, ...h264, "-movflags", "dash+empty_moov", "-g", "4"],
  "in HEVC": [...picture, "-c:v", "libx265", "-x265-params", "log-level=none"],
  "in HEVC, with what is needed in each frame": [
    ...picture,
    "-c:v",
    "libx265",
    "-x265-params",
    "log-level=none",
    "-tag:v",
    "hev1",
  ],
  "in VP9": [...picture, "-c:v", "libvpx-vp9", "-deadline", "realtime"],
  "in AV1": [...picture, "-c:v", "libaom-av1", "-strict", "-2", "-cpu-used", "8", "-frames:v", "3"],
  "in MPEG-4": [...picture, "-c:v", "mpeg4"],
  "of pictures": [...picture, "-c:v", "mjpeg"],
  "of black": [...black, ...h264],
  "of one frame": [...picture, ...h264, "-frames:v", "1"],
  "of a changing rate": [...picture, ...h264, "-vf", "select='not(mod(n,3))+lt(n,4)'", "-vsync", "vfr"],
  "that begins later than its tables": [
    "-ss",
    "0.3",
    "-i",
    film,
    "-c",
    "copy",
    "-avoid_negative_ts",
    "make_zero",
  ],
  "with frames behind each other": [...picture, ...h264, "-bf", "3", "-movflags", "negative_cts_offsets"],
};

describe("what can be played", () => {
  it("is told without reading it again where all that is looked at lies in the beginning", async () => {
    expect(statSync(large).size).toBeGreaterThan(2 ** 17);
    const any = await open(film);
    const read = vi.spyOn(Object.getPrototypeOf(any) as FileHandle, "read");
    onTestFinished(() => read.mockRestore());
    await any.close();
    await checkFilmAt(film, "video/mp4");
    expect(read).not.toHaveBeenCalled();
    await checkFilmAt(large, "video/mp4");
    expect(read.mock.calls.length).toBeGreaterThan(2);
  });

  it.each(Object.keys(UNUSUAL))("is a film %s", async (name) => {
    const path = made(`${name}.mp4`, ...(UNUSUAL[name] ?? []));
    await expect(checkFilmAt(path, "video/mp4")).resolves.toBeUndefined();
  });

  it.each([
    ["H.264", h264],
    ["ProRes", ["-c:v", "prores"]],
    [
      "plain pixels, all of them black",
      ["-vf", "lutrgb=r=0:g=0:b=0", "-pix_fmt", "rgb24", "-c:v", "rawvideo"],
    ],
    ["runs of pixels", ["-c:v", "qtrle"]],
  ])("is a film for QuickTime in %s", async (name, codec) => {
    const path = made(`${name}.mov`, ...picture, ...sound, ...codec);
    await expect(checkFilmAt(path, "video/quicktime")).resolves.toBeUndefined();
  });

  it("is one with a tail of its writer's own, or with tables that nobody knows", async () => {
    for (const path of [film, first, fragments, large]) {
      const tailed = changed(path, (bytes) => Buffer.concat([bytes, Buffer.alloc(99)]));
      await expect(checkFilmAt(tailed, "video/mp4")).resolves.toBeUndefined();
    }
    await expect(
      checkFilmAt(
        changed(film, () => Buffer.alloc(99)),
        "video/webm",
      ),
    ).resolves.toBeUndefined();
  });
});

describe("what cannot be played", () => {
  it("is a film without pictures", async () => {
    expect(await refusal(made("sound.mp4", ...sound))).toBe("result_late");
    expect(await refusal(made("sound-fragments.mp4", ...sound, ...fragmented))).toBe("result_late");
  });

  it("is one whose second half never came", async () => {
    for (const path of [first, fragments])
      expect(await refusal(changed(path, (bytes) => bytes.fill(0, Math.floor(bytes.length / 2))))).toBe(
        "result_late",
      );
  });

  it("is one with a page, a gap or noise in the place of its pictures", async () => {
    const page = "<p>Please wait, your film is not ready yet.</p>\n";
    for (const path of [film, first, fragments, large])
      for (const filling of [page, Buffer.alloc(1), Buffer.from([0xf1, 0x07, 0xee])])
        expect(
          await refusal(
            changed(path, (bytes) => {
              for (let at = bytes.indexOf("mdat"); at >= 4; at = bytes.indexOf("mdat", at + 1))
                bytes.fill(filling, at + 4, at - 4 + bytes.readUInt32BE(at - 4));
              return bytes;
            }),
          ),
        ).toBe("result_late");
  });

  it("is one whose tables tell of what is not there, or cannot be read", async () => {
    expect(
      await refusal(
        changed(film, (bytes) => {
          bytes.writeUInt32BE(bytes.length, bytes.indexOf("stco") + 12);
          return bytes;
        }),
      ),
    ).toBe("result_late");
    for (let step = 31; step < 60; step++)
      expect(
        await refusal(
          changed(film, (bytes) => {
            for (let at = bytes.indexOf("moov") + 4; at < bytes.length; at += step)
              bytes[at] = ~(bytes[at] ?? 0);
            return bytes;
          }),
        ),
      ).toBe("result_late");
  });
});
