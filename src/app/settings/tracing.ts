import { z } from "zod";

/** OpenTelemetry's own variables, as far as Reelay looks at them; its packages read the others. What is set for other programs, too, stops none. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .optional()
    .describe(
      "Sends [traces](operator.md#traces) of jobs to the OpenTelemetry collector at this address, such as `http://localhost:4318`; it takes packages beside Reelay.",
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .string()
    .optional()
    .describe("The same, with the whole address that takes traces (`…/v1/traces`)."),
  OTEL_SDK_DISABLED: z.string().optional().describe("`true`: no traces, whatever else is set."),
  OTEL_TRACES_EXPORTER: z.string().optional().describe("`none`: the same."),
  OTEL_TRACES_SAMPLER: z
    .string()
    .optional()
    .describe(
      "Of which jobs there are traces: `always_on`, `always_off`, or `traceidratio` with the share in `OTEL_TRACES_SAMPLER_ARG`, each also with `parentbased_` before it. Anything else: of all.",
    ),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .optional()
    .describe("The share of jobs that there are traces of, from 0 to 1; every node takes the same jobs."),
  OTEL_EXPORTER_OTLP_TIMEOUT: z
    .string()
    .optional()
    .describe("How long the collector may take, in milliseconds; unset: 3000. A stop waits for it."),
};

/** How long a collector may take unless it is said, in milliseconds: so long a stop takes where none answers. */
const TIMEOUT_MS = 3_000;

/** How traces are sent. */
export interface TracingConfig {
  readonly tracing:
    | {
        /** The variable that says where to, and what it says. */
        readonly setting: "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
        readonly endpoint: string;
        /** The share of jobs that there are traces of, over 0 to 1. */
        readonly share: number;
        /** How long a collector may take, in milliseconds. */
        readonly timeoutMs: number;
      }
    | undefined;
}

/** Undefined: nobody wants traces. */
export function tracingOf(value: z.output<z.ZodObject<typeof tracingSettings>>): TracingConfig["tracing"] {
  const setting = value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
    ? "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
    : "OTEL_EXPORTER_OTLP_ENDPOINT";
  const endpoint = value[setting];
  const isOff = value.OTEL_SDK_DISABLED?.toLowerCase() === "true" || value.OTEL_TRACES_EXPORTER === "none";
  const share = shareOf(value.OTEL_TRACES_SAMPLER, value.OTEL_TRACES_SAMPLER_ARG);
  if (!endpoint || isOff || share === 0) return undefined;
  const timeoutMs = Number(value.OTEL_EXPORTER_OTLP_TIMEOUT);
  return { setting, endpoint, share, timeoutMs: timeoutMs > 0 ? timeoutMs : TIMEOUT_MS };
}

/** A trace always begins here, so that a sampler that asks the parent asks nobody. */
function shareOf(sampler = "", argument = ""): number {
  const name = sampler.replace(/^parentbased_/, "");
  if (name === "always_off") return 0;
  const share = Number(argument || 1);
  return name === "traceidratio" && share >= 0 && share <= 1 ? share : 1;
}
