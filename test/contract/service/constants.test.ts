import { describe, expect, it } from "vitest";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import * as contract from "../../../src/common/contract.ts";
import { fieldsOf } from "../../../src/domain/operations/fields.ts";
import { OPERATIONS } from "../../../src/domain/operations/registry.ts";
import {
  type Endpoint,
  type Field,
  JOB_TYPES,
  LISTED_TYPES,
  PRICES,
  RATE_MESSAGE,
  RATE_WINDOW_SECONDS,
  RATES,
  requests,
  ENDPOINTS,
} from "./table.ts";

const { VIDEO, VIDEO_AUDIO, H3, VID3, IMAGE, IMAGE_EDIT, IMGPRO_I2I } = requests;

/** What the table says of a field, as the constants say it. */
const range = ({ min, max, multipleOf, default: initial }: Field) =>
  defined({ min, max, multipleOf, default: initial });
const choice = ({ choices, default: initial }: Field) => defined({ choices, default: initial });

function defined(values: object) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

describe("the constants that client, operations and sandbox share", () => {
  it.each([
    ["the rate window", contract.RATE_WINDOW_MS, RATE_WINDOW_SECONDS * 1000],
    ["the rates", contract.RATE_LIMITS, RATES],
    ["the message of the rate's 429", contract.RATE_LIMIT_MESSAGE, RATE_MESSAGE],
    ["the types of jobs", contract.JOB_TYPES, JOB_TYPES],
    ["the types that are listed", contract.LISTED_TYPES, LISTED_TYPES],
    ["a page of jobs", contract.JOBS_PER_PAGE, range(ENDPOINTS.jobs.query.per_page)],
    ["orders of H3 templates", contract.H3_TEMPLATE_SORTS, ENDPOINTS.h3Templates.query.sort.choices],
    ["video: duration", contract.VIDEO_BOUNDS.duration, range(VIDEO.duration)],
    ["video: steps", contract.VIDEO_BOUNDS.steps, choice(VIDEO.steps)],
    ["video: cfg", contract.VIDEO_BOUNDS.cfg, range(VIDEO.cfg)],
    ["video: orientation", contract.VIDEO_BOUNDS.orientations, VIDEO.orientation.choices],
    ["video: quality", contract.VIDEO_BOUNDS.qualities, VIDEO.video_quality.choices],
    ["video: result", contract.VIDEO_BOUNDS.resultTypes, VIDEO.result_type.choices],
    ["video-audio: duration", contract.VIDEO_AUDIO_BOUNDS.duration, range(VIDEO_AUDIO.duration)],
    ["video-audio: width", contract.VIDEO_AUDIO_BOUNDS.side, range(VIDEO_AUDIO.width)],
    ["video-audio: height", contract.VIDEO_AUDIO_BOUNDS.side, range(VIDEO_AUDIO.height)],
    ["video-audio: frames", contract.VIDEO_AUDIO_BOUNDS.frameRates.choices, VIDEO_AUDIO.frame_rate.choices],
    ["video-audio: frames by mode", contract.VIDEO_AUDIO_BOUNDS.frameRates.default, { T2V: 16, I2V: 25 }],
    ["H3: mode", contract.H3_BOUNDS.modes, H3.mode.choices],
    ["H3: duration", contract.H3_BOUNDS.duration, range(H3.duration)],
    ["H3: references", contract.H3_BOUNDS.references, H3.reference_images.count],
    ["H3: turbo", contract.H3_BOUNDS.turboMode, range(H3.turbo_mode)],
    ["H3: never sent", contract.H3_BOUNDS.forbidden, requests.H3_FORBIDDEN],
    ["vid3: prompt", contract.VID3_BOUNDS.prompt, range(VID3.prompt)],
    ["vid3: pictures", contract.VID3_BOUNDS.images, { ...VID3.images.count, types: VID3.images.each.types }],
    ["vid3: duration", contract.VID3_BOUNDS.duration, range(VID3.duration)],
    ["vid3: size", contract.VID3_BOUNDS.sizes, choice(VID3.size)],
    ["vid3: ratio", contract.VID3_BOUNDS.aspectRatios, choice(VID3.aspect_ratio)],
    [
      "vid3: sounds",
      contract.VID3_BOUNDS.audios,
      {
        max: VID3.audios.count.max,
        types: VID3.audios.each.types,
        maxBytes: VID3.audios.each.maxMb * 1e6,
        maxSeconds: VID3.audios.each.maxSeconds,
        maxSecondsTogether: VID3.audios.maxSecondsTogether,
      },
    ],
    ["vid3: platform", contract.VID3_BOUNDS.platforms, choice(VID3.platform)],
    ["vid3: result", contract.VID3_BOUNDS.resultTypes, VID3.result_type.choices],
    ["vid3: price", contract.VID3_PRICE, { perSecond: PRICES.vid3.perSecond, min: PRICES.vid3.least }],
    ["image: model", contract.IMAGE_BOUNDS.model, range(IMAGE.model)],
    ["image: width", contract.IMAGE_BOUNDS.side, range(IMAGE.width)],
    ["image: height", contract.IMAGE_BOUNDS.side, range(IMAGE.height)],
    ["image: guidance", contract.IMAGE_BOUNDS.guidance, range(IMAGE.guidance)],
    ["image: steps", contract.IMAGE_BOUNDS.steps, range(IMAGE.num_inference_steps)],
    ["image edit: model", contract.IMAGE_EDIT_BOUNDS.models, choice(IMAGE_EDIT.model)],
    ["image edit: version", contract.IMAGE_EDIT_BOUNDS.versions, choice(IMAGE_EDIT.version)],
    ["image edit: mode", contract.IMAGE_EDIT_BOUNDS.modes, choice(IMAGE_EDIT.v2_mode)],
    [
      "image pro: pictures",
      contract.IMGPRO_BOUNDS.images,
      { ...IMGPRO_I2I.images.count, maxBytes: IMGPRO_I2I.images.each.maxMb * 1e6 },
    ],
    ["image pro: format", contract.IMGPRO_BOUNDS.formats, choice(IMGPRO_I2I.output_format)],
    ["image pro: price", contract.IMGPRO_PRICE, PRICES.imgpro],
  ])("%s", (_what, constant, expected) => {
    expect(constant).toEqual(expected);
  });
});

/** The request behind an operation. */
const requestAt = (path: string) =>
  Object.values<Endpoint>(ENDPOINTS).find((one) => one.path === path && one.method === "POST")?.body;

/** The contract's names of bounded fields that a form calls otherwise. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "h3-reference": { images: "reference_images" },
  image: { steps: "num_inference_steps" },
};

/** Every field of a form that stands for one of the contract's, with the bounds that the table gives it. */
const OFFERED = OPERATIONS.flatMap(({ id, schema, endpoint }) =>
  fieldsOf(schema).flatMap((field) => {
    const row = requestAt(endpoint.path)?.[NAMES[id]?.[field.name] ?? field.name];
    return row ? [{ id, name: field.name, bounds: boundsIn(field), allowed: boundsOf(row) }] : [];
  }),
);

/** Bounds as a form has them; it may leave a default to the service, or follow the photo. */
function boundsIn({ choices, ...field }: FieldSpec) {
  return { ...field, ...(choices && { choices: choices.map(({ value }) => value) }) };
}

function boundsOf({ type, min, max, multipleOf, choices, count }: Field) {
  const size = type === "string" ? { maxLength: max } : { min, max, multipleOf };
  return defined({ ...size, minItems: count?.min, maxItems: count?.max, choices });
}

describe("the forms of operations", () => {
  it("belong to requests of the contract, every one", () => {
    const foreign = OPERATIONS.filter(({ endpoint }) => !requestAt(endpoint.path));
    expect(foreign.map(({ id }) => id)).toEqual([]);
  });

  it.each(OFFERED)("offer what the contract allows: $id, $name", ({ bounds, allowed }) => {
    expect(bounds).toMatchObject(allowed);
  });
});
