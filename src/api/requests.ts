import { z } from "zod";
import { JOBS_PER_PAGE, SEED, VIDEO_BOUNDS } from "../contract.ts";
import { ReelayError } from "../errors.ts";
import { type FileSource, isFileSource } from "./body.ts";

/** A whole number within bounds, both of which its error names. */
const whole = (min: number, max: number) =>
  z.int().refine((value) => value >= min && value <= max, { params: { min, max } });

const picture = z.custom<FileSource>((value) => isFileSource(value) && value.bytes > 0, { error: "a file" });

/** `POST /generate/video` (sections 4.3 and 8.2), under the service's own names. */
export const videoRequest = z
  .strictObject({
    image_base64: picture,
    prompt: z.string().min(1).optional(),
    lora_template: z.string().min(1).optional(),
    sub_template: z.string().min(1).optional(),
    orientation: z.enum(VIDEO_BOUNDS.orientations).optional(),
    /** Seconds. */
    duration: whole(VIDEO_BOUNDS.duration.min, VIDEO_BOUNDS.duration.max).optional(),
    steps: z.literal(VIDEO_BOUNDS.steps.choices).optional(),
    cfg: z.number().optional(),
    /** -1 for a random one. */
    seed: whole(SEED.random, Number.MAX_SAFE_INTEGER).optional(),
    negative_prompt: z.string().optional(),
    video_quality: z.enum(VIDEO_BOUNDS.qualities).optional(),
    end_image_base64: picture.optional(),
    result_type: z.enum(VIDEO_BOUNDS.resultTypes).optional(),
    auto_upscale: z.boolean().optional(),
    platform: z.string().optional(),
    in_app_username: z.string().optional(),
  })
  .refine(({ prompt, lora_template }) => prompt ?? lora_template, { path: ["prompt"] })
  .refine(({ end_image_base64, video_quality }) => !end_image_base64 || video_quality === "new", {
    path: ["end_image_base64"],
    error: "video_quality = new",
  });

/** What `POST /generate/video` takes. */
export type VideoRequest = z.input<typeof videoRequest>;

/** Which part of the job list to read (section 4.13). */
export const jobListRequest = z.strictObject({
  /** From 1. */
  page: z.int().min(1).optional(),
  /** At most 100. */
  perPage: whole(1, JOBS_PER_PAGE.max).optional(),
  /** The service's own word. */
  status: z.string().min(1).optional(),
});

export type JobListRequest = z.input<typeof jobListRequest>;

/**
 * An identifier that fits into a path: job ids are UUIDs (section 2.1). One that would read as another path,
 * `delete-all` above all, never goes out.
 */
export const jobId = z.string().regex(/^(?!delete)[\w-]+$/, { error: "a job id" });

/**
 * Checks a request before anything is sent.
 * @throws ReelayError for the first mistake: `field_required`, `field_out_of_range`, `field_invalid` or
 * `field_unknown`, with the service's name of the field
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw mistake(parsed.error.issues[0], value);
}

function mistake(issue: z.core.$ZodIssue | undefined, value: unknown): ReelayError {
  // What is checked without a name is an id.
  const field = String(issue?.path[0] ?? "id");
  const invalid = (wanted: string) => new ReelayError("field_invalid", { field, wanted });
  if (isMissing(value, issue?.path[0])) return new ReelayError("field_required", { field });
  switch (issue?.code) {
    case "unrecognized_keys":
      return new ReelayError("field_unknown", { name: issue.keys.join(", ") });
    case "invalid_value":
      return invalid(issue.values.join(", "));
    case "invalid_type":
      return invalid(issue.expected);
    case "custom":
      if (issue.params) return new ReelayError("field_out_of_range", { field, ...issue.params });
      return invalid(issue.message);
    default:
      return invalid(issue?.message ?? "");
  }
}

function isMissing(value: unknown, name: PropertyKey | undefined): boolean {
  if (name === undefined || typeof value !== "object" || value === null) return false;
  const given: unknown = Reflect.get(value, name);
  return given === undefined || given === "";
}
