import { z } from "zod";
import { VIDEO_AUDIO_BOUNDS } from "../../common/contract.ts";
import { chosen, picture, words } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { byType, shownBy } from "./recognition.ts";

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
export const videoAudio: Operation = {
  ...byType("video_audio"),
  id: "video-audio",
  label: "operation.video-audio",
  description: "operation.video-audio.description",
  result: "video",
  schema,
  group: "videoAudio",
  instead: "video",

  forbidden: ({ template }) => (template === undefined ? undefined : "premium_template"),

  // The contract gives no formula for this endpoint.
  price: () => null,

  size(values) {
    const { image, duration, width = "", height = "", frame_rate = "" } = schema.parse(values);
    return `${modeOf(image)}, ${duration} s, ${width}x${height}, ${frame_rate} fps`;
  },

  submit(api, { values, images }) {
    const { image: _image, ...fields } = schema.parse(values);
    const [image] = images["image"] ?? [];
    return api.generateVideoAudio({ ...fields, ...(image && { image_base64: image }) });
  },

  read: (api, serviceId) => api.job(serviceId),

  fingerprint: ({ image }) => fingerprint(modeOf(image)),

  async likeness(api, { id, mode }, { image }) {
    const shown = mode ?? (await shownBy(() => api.job(id)))?.mode;
    return shown && shown.toUpperCase() !== modeOf(image) ? "other" : "possible";
  },

  remove: (api, serviceId) => api.deleteVideoAudioJob(serviceId),
};
