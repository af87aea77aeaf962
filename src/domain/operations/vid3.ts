import { z } from "zod";
import { VID3_BOUNDS, VID3_PRICE } from "../../common/contract.ts";
import { GENERATE, type MediaApi, type ServiceJob } from "../../infrastructure/api/media-api.ts";
import type { PreparedImage } from "../../infrastructure/media/pictures/image.ts";
import { described } from "./described.ts";
import { pictures, seed, sounds, words } from "./fields.ts";

const { images, duration, sizes, aspectRatios, audios, platforms } = VID3_BOUNDS;

const schema = z.strictObject({
  images: pictures(images.min, images.max),
  prompt: words(),
  duration: z.int().min(duration.min).max(duration.max).default(duration.default),
  size: z.enum(sizes.choices).default(sizes.default),
  /** Left out, it follows the first picture. */
  aspect_ratio: z.enum(aspectRatios.choices).optional(),
  audio_enable: z.boolean().default(false),
  audios: sounds(audios.max, audios).optional(),
  prompt_expansion_enable: z.boolean().default(false).meta({ advanced: true }),
  seed: seed(),
});

/** Reference-to-video v3: 1 to 5 pictures, with sounds to go by (section 4.8). */
export const vid3 = described({
  id: "vid3",
  type: "vid3",
  result: "video",
  schema,
  endpoint: GENERATE.vid3,
  subscription: "pro",
  instead: "h3-reference",
  price: ({ duration, size }) =>
    Math.max(VID3_PRICE.min, Math.round(duration * VID3_PRICE.perSecond[size] * 100) / 100),
  size: ({ duration, size }) => `${duration} s, ${size}`,

  also: ({ aspect_ratio }, { images, tags }) => ({
    aspect_ratio: aspect_ratio ?? nearestRatio(images["images"]?.[0]),
    in_app_username: tags.inAppUsername,
    platform: platforms.choices.find((platform) => platform === tags.platform) ?? platforms.default,
    result_type: "url",
  }),

  read: async (api, serviceId) => byOwnPath(api, await api.vid3Job(serviceId), serviceId),
  otherReads: [async (api, serviceId) => byOwnPath(api, await api.job(serviceId), serviceId)],
});

/** Its result is only fetched by its own path: what else the record names needs a login session. */
function byOwnPath(api: MediaApi, record: ServiceJob, serviceId: string): ServiceJob {
  return { ...record, videoUrl: api.vid3VideoUrl(serviceId), resultUrls: [] };
}

/** The allowed ratio that comes nearest to a picture's, measured as the eye does: by the quotient. */
function nearestRatio(picture: PreparedImage | undefined) {
  if (!picture) return aspectRatios.default;
  const distance = (ratio: string) => {
    const [width = 1, height = 1] = ratio.split(":").map(Number);
    return Math.abs(Math.log((picture.width * height) / (picture.height * width)));
  };
  return aspectRatios.choices.toSorted((a, b) => distance(a) - distance(b))[0] ?? aspectRatios.default;
}
