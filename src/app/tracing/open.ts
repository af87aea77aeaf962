import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { MiddlewareHandler } from "hono";
import { currentTime } from "../../common/time.ts";
import type { JobTrace } from "../../domain/jobs/trace.ts";
import type { WebhookTrace } from "../../domain/webhooks/trace.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { TracingConfig } from "../settings/tracing.ts";
import { Requests } from "./requests.ts";
import type { Span } from "./span.ts";
import { JobSteps, webhookSpan } from "./steps.ts";

/** What is to be installed beside Reelay. */
const PACKAGES =
  "@opentelemetry/api@1 @opentelemetry/sdk-trace@3 @opentelemetry/resources@3 @opentelemetry/exporter-trace-otlp-http@0.301";

/** Traces that are sent. */
export interface Tracing {
  /** Has the requests of a server known to what is done for them; to be mounted before what answers them. */
  readonly follow: MiddlewareHandler;
  /** Sends what is left, and nothing more. */
  stop(): Promise<void>;
}

/**
 * Sends a span for each step of a job that this process takes.
 * @returns undefined where that cannot be, which is logged: nobody's jobs depend on it
 */
export async function openTracing(
  tracing: NonNullable<TracingConfig["tracing"]>,
  log: Logger,
): Promise<Tracing | undefined> {
  const { setting, endpoint } = tracing;
  if (!/^https?:\/\/./.test(endpoint) || !URL.canParse(endpoint)) {
    log.warn(
      `No traces are sent: ${setting} wants the address of a collector, such as http://localhost:4318`,
    );
    return undefined;
  }
  const sender = await import("./exporter.ts").then(
    ({ sendSpans }) => sendSpans(tracing, log),
    (error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
      log.warn(
        `No traces are sent: ${setting} is set, but what sends them is not installed (npm install ${PACKAGES})`,
      );
      return undefined;
    },
  );
  if (!sender) return undefined;
  const steps = new JobSteps();
  const requests = new Requests();
  /** Whoever tells of something must not be stopped by its being told. */
  const hearing =
    <T>(spansOf: (told: T) => readonly Span[]) =>
    (message: unknown) => {
      try {
        // The channel's own type.
        for (const span of spansOf(message as T)) sender.send(span);
      } catch (err) {
        log.debug({ err }, "A span could not be told");
      }
    };
  const onJob = hearing((told: JobTrace) => steps.of(told, currentTime(), requests.current));
  const onWebhook = hearing((told: WebhookTrace) => [webhookSpan(told)]);
  subscribe("reelay:job", onJob);
  subscribe("reelay:webhook", onWebhook);
  return {
    follow: requests.follow,
    async stop() {
      unsubscribe("reelay:job", onJob);
      unsubscribe("reelay:webhook", onWebhook);
      await sender.stop();
    },
  };
}
