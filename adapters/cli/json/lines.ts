import { z } from "zod";
import { MAKING } from "./making.ts";
import { OPERATING } from "./operating.ts";

/** Every line that `--json` can print. */
export const LINES = [...MAKING, ...OPERATING] as const;

/** One of {@link LINES}. */
export const lineSchema = z.discriminatedUnion("event", LINES);
