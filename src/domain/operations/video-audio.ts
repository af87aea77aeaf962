import { z } from "zod";
import { VIDEO_AUDIO_BOUNDS } from "../../common/contract.ts";
import { GENERATE } from "../../infrastructure/api/media-api.ts";
import { described } from "./described.ts";
import { chosen, picture, words } from "./fields.ts";
import { shownBy } from "./recognition.ts";

const { duration, side, frameRates } = VIDEO_AUDIO_BOUNDS;

const length = () =>
  z.int().min(side.min).max(side.max).multipleOf(side.multipleOf).optional().meta({ advanced: true });

const schema = z.strictObject({
  /** With it the video moves from the photo, without it from the words alone. */
  image: picture().optional(),
  prompt: words(),
  template: chosen("video-templates").optional(),
  duration: z.int().min(duration.min).max(duration.max).default(duration.default),
  width: length(),
  height: length(),
  /** Left out, the service's own: it depends on whether there is a photo. */
  frame_rate: z.literal(frameRates.choices).optional().meta({ advanced: true }),
  negative_prompt: words().optional().meta({ advanced: true }),
});

/** The mode that the service tells of a job (section 2.4): all that its records show of what was asked for. */
const modeOf = (image: unknown) => (image === undefined ? "T2V" : "I2V");

const fingerprint = (mode: string) => `video_audio ${mode}`;

/** Text-to-video or image-to-video with sound (section 4.4). */
export const videoAudio = described({
  id: "video-audio",
  type: "video_audio",
  result: "video",
  schema,
  endpoint: GENERATE.videoAudio,
  sentAs: { image: "image_base64" },
  instead: "video",
  size: ({ image, duration, width = "", height = "", frame_rate = "" }) =>
    `${modeOf(image)}, ${duration} s, ${width}x${height}, ${frame_rate} fps`,

  fingerprint: ({ image }) => fingerprint(modeOf(image)),

  async likeness(api, { id, mode }, { image }) {
    const shown = mode ?? (await shownBy(() => api.job(id)))?.mode;
    return shown && shown.toUpperCase() !== modeOf(image) ? "other" : "possible";
  },
});
