import { describe, expect, it } from "vitest";
import * as contract from "../../../../src/common/contract.ts";
import { file, PICTURE } from "../client.ts";
import { count, invalid, outcome, pictures, range, required, sized, unknown } from "./outcome.ts";

describe("video (section 4.3)", () => {
  const { duration, steps, orientations } = contract.VIDEO_BOUNDS;

  it("lasts 3 to 8 whole seconds", async () => {
    for (const seconds of [duration.min, duration.max])
      expect(await outcome("generateVideo", { duration: seconds })).toBe("sent");
    for (const seconds of [0, 2, 9])
      expect(await outcome("generateVideo", { duration: seconds })).toMatchObject(range("duration", 3, 8));
    expect(await outcome("generateVideo", { duration: 4.5 })).toMatchObject(invalid("duration"));
    expect(await outcome("generateVideo", { duration: "5" })).toMatchObject(invalid("duration"));
  });

  it("takes 4, 6 or 8 steps", async () => {
    for (const number of steps.choices)
      expect(await outcome("generateVideo", { steps: number })).toBe("sent");
    expect(await outcome("generateVideo", { steps: 5 })).toMatchObject(invalid("steps", "4, 6, 8"));
  });

  it("needs a prompt or a template", async () => {
    expect(await outcome("generateVideo", { prompt: undefined, lora_template: "zoom" })).toBe("sent");
    expect(await outcome("generateVideo", { prompt: undefined })).toMatchObject(required("prompt"));
    expect(await outcome("generateVideo", { prompt: "" })).toMatchObject(required("prompt"));
  });

  it("takes an end image with the new quality only", async () => {
    const end_image_base64 = file(PICTURE);
    expect(await outcome("generateVideo", { end_image_base64, video_quality: "new" })).toBe("sent");
    for (const video_quality of [undefined, "legacy"])
      expect(await outcome("generateVideo", { end_image_base64, video_quality })).toMatchObject(
        invalid("end_image_base64", "video_quality = new"),
      );
  });

  it("has three orientations", async () => {
    expect(await outcome("generateVideo", { orientation: "wide" })).toMatchObject(
      invalid("orientation", orientations.join(", ")),
    );
  });
});

describe("video-audio (section 4.4)", () => {
  it("lasts 5 to 20 seconds", async () => {
    for (const duration of [5, 20]) expect(await outcome("generateVideoAudio", { duration })).toBe("sent");
    for (const duration of [4, 21])
      expect(await outcome("generateVideoAudio", { duration })).toMatchObject(range("duration", 5, 20));
  });

  it("has sides that are multiples of 8 within 64-1240", async () => {
    for (const side of [64, 1240])
      expect(await outcome("generateVideoAudio", { width: side, height: side })).toBe("sent");
    for (const width of [56, 1248])
      expect(await outcome("generateVideoAudio", { width })).toMatchObject(range("width", 64, 1240));
    for (const height of [65, 1239])
      expect(await outcome("generateVideoAudio", { height })).toMatchObject(
        invalid("height", "a multiple of 8"),
      );
  });

  it("has 16 or 25 frames a second", async () => {
    for (const frame_rate of [16, 25])
      expect(await outcome("generateVideoAudio", { frame_rate })).toBe("sent");
    expect(await outcome("generateVideoAudio", { frame_rate: 24 })).toMatchObject(
      invalid("frame_rate", "16, 25"),
    );
  });
});

describe("H3 (section 4.7)", () => {
  it.each(contract.H3_BOUNDS.forbidden)("never sends %s", async (name) => {
    expect(await outcome("generateH3", { [name]: [] })).toMatchObject(unknown(name));
  });

  it("writes its aspect ratio as ratio and label", async () => {
    expect(await outcome("generateH3", { aspect_ratio: "16:9 (Landscape)" })).toBe("sent");
    for (const aspect_ratio of ["16:9", "16x9 (Wide)", "0:9 (Flat)", "16:9 ()"])
      expect(await outcome("generateH3", { aspect_ratio })).toMatchObject(
        invalid("aspect_ratio", "<w>:<h> (<label>)"),
      );
  });

  it("takes 1 to 4 reference pictures, and needs them for r2v", async () => {
    for (const number of [1, 4])
      expect(await outcome("generateH3", { mode: "r2v", reference_images: pictures(number) })).toBe("sent");
    for (const number of [0, 5])
      expect(await outcome("generateH3", { mode: "r2v", reference_images: pictures(number) })).toMatchObject(
        count("reference_images", 1, 4),
      );
    expect(await outcome("generateH3", { mode: "r2v" })).toMatchObject(required("reference_images"));
  });

  it("becomes r2v by a template with no mode, or with t2v", async () => {
    for (const mode of [undefined, "t2v"]) {
      expect(await outcome("generateH3", { mode, template_id: "duet" })).toMatchObject(
        required("reference_images"),
      );
      expect(await outcome("generateH3", { mode, template_id: "duet", reference_images: pictures(1) })).toBe(
        "sent",
      );
    }
    expect(
      await outcome("generateH3", { mode: "i2v", template_id: "duet", image_base64: file(PICTURE) }),
    ).toBe("sent");
  });

  it("needs a picture for i2v", async () => {
    expect(await outcome("generateH3", { mode: "i2v" })).toMatchObject(required("image_base64"));
  });

  it("lasts 5 to 20 seconds", async () => {
    for (const duration of [5, 20]) expect(await outcome("generateH3", { duration })).toBe("sent");
    for (const duration of [4, 21])
      expect(await outcome("generateH3", { duration })).toMatchObject(range("duration", 5, 20));
  });

  it("lists its templates in four orders", async () => {
    expect(await outcome("h3Templates", { sort: "best" })).toMatchObject(
      invalid("sort", "latest, most-used, free-first, name"),
    );
  });
});

describe("reference-to-video v3 (section 4.8)", () => {
  const { audios, images, platforms } = contract.VID3_BOUNDS;
  const sound = file(PICTURE, { type: "audio/mpeg" });

  it("takes 1 to 5 pictures, JPEG or PNG where the type is known", async () => {
    for (const number of [1, 5])
      expect(await outcome("generateVid3", { images: pictures(number) })).toBe("sent");
    for (const number of [0, 6])
      expect(await outcome("generateVid3", { images: pictures(number) })).toMatchObject(
        count("images", 1, 5),
      );
    for (const type of images.types)
      expect(await outcome("generateVid3", { images: [file(PICTURE, { type })] })).toBe("sent");
    for (const image of [file(PICTURE, { type: "image/webp" }), "data:image/gif;base64,aGk="])
      expect(await outcome("generateVid3", { images: [image] })).toMatchObject(
        invalid("images", "image/jpeg, image/png"),
      );
  });

  it("takes no address of a picture", async () => {
    expect(await outcome("generateVid3", { images: ["https://example.org/a.jpg"] })).toMatchObject(
      invalid("images"),
    );
  });

  it("never sends an empty list of sounds, and at most 3", async () => {
    expect(await outcome("generateVid3", { audios: undefined })).toBe("sent");
    expect(await outcome("generateVid3", { audios: [sound, sound, sound] })).toBe("sent");
    for (const list of [[], [sound, sound, sound, sound]])
      expect(await outcome("generateVid3", { audios: list })).toMatchObject(count("audios", 1, 3));
  });

  it("sends sounds of the allowed types only, and says which", async () => {
    for (const type of audios.types)
      expect(await outcome("generateVid3", { audios: [file(PICTURE, { type })] })).toBe("sent");
    expect(await outcome("generateVid3", { audios: ["data:audio/ogg;base64,aGk="] })).toBe("sent");
    for (const audio of [file(PICTURE, { type: "video/mp4" }), "data:audio/flac;base64,aGk="])
      expect(await outcome("generateVid3", { audios: [audio] })).toMatchObject(
        invalid("audios", audios.types.join(", ")),
      );
    for (const audio of [file(PICTURE), "aGk="])
      expect(await outcome("generateVid3", { audios: [audio] })).toMatchObject(
        invalid("audios", "a file of known type, or a data URI"),
      );
  });

  it("sends sounds of at most 8 MB", async () => {
    const long = `data:audio/wav;base64,${"A".repeat(4 * Math.ceil((audios.maxBytes + 1) / 3))}`;
    for (const audio of [sized(audios.maxBytes + 1, "audio/wav"), long])
      expect(await outcome("generateVid3", { audios: [audio] })).toMatchObject(
        range("audios", 1, audios.maxBytes),
      );
  });

  it("names one of four platforms", async () => {
    for (const platform of platforms.choices)
      expect(await outcome("generateVid3", { platform })).toBe("sent");
    expect(await outcome("generateVid3", { platform: "discord" })).toMatchObject(
      invalid("platform", "api, web, telegram, kn"),
    );
  });

  it("has a prompt of at most 20,000 characters", async () => {
    expect(await outcome("generateVid3", { prompt: "a".repeat(20_000) })).toBe("sent");
    expect(await outcome("generateVid3", { prompt: "a".repeat(20_001) })).toMatchObject([
      "field_too_long",
      {
        field: "prompt",
        max: 20_000,
      },
    ]);
  });

  it("lasts 2 to 30 seconds, in three sizes and five ratios", async () => {
    for (const duration of [2, 30]) expect(await outcome("generateVid3", { duration })).toBe("sent");
    for (const duration of [1, 31])
      expect(await outcome("generateVid3", { duration })).toMatchObject(range("duration", 2, 30));
    expect(await outcome("generateVid3", { size: "4k" })).toMatchObject(invalid("size", "480p, 720p, 1080p"));
    expect(await outcome("generateVid3", { aspect_ratio: "2:1" })).toMatchObject(invalid("aspect_ratio"));
  });
});
