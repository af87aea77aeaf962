import { z } from "zod";
import type { Fields } from "../transport/answer.ts";
import { flag, type Kept, number, text } from "./values.ts";

/** The choices of an earlier video job (section 2.7), under the names that a request gives them again. */
export interface JobSettings extends Kept {
  /** The custom one; where a template was used, there is none. */
  readonly prompt: string | null;
  readonly lora_template: string | null;
  readonly sub_template: string | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly auto_upscale: boolean;
}

const settings = z.looseObject({
  prompt: text,
  lora_template: text,
  sub_template: text,
  duration: number,
  auto_upscale: flag,
});

export function readSettings(answer: Fields): JobSettings {
  const raw = z.looseObject({}).catch({}).parse(answer["settings"]);
  const { prompt, lora_template, sub_template, duration, auto_upscale } = settings.parse(raw);
  return { prompt, lora_template, sub_template, duration, auto_upscale, raw };
}
