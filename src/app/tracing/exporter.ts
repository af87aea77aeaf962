import { ROOT_CONTEXT, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { atMost } from "../../common/time.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { TracingConfig } from "../settings/tracing.ts";
import { VERSION } from "../../seam/version.ts";
import type { Span } from "./span.ts";

/** How many spans wait to be sent, and how many are sent together; of those that come when so many wait, nothing is told. */
const MOST = { maxQueueSize: 2_048, maxExportBatchSize: 512 } as const;

/** How long the last spans may take to leave when the process ends, in milliseconds. */
const LEAVE_MS = 3_000;

/** Sends spans. */
export interface SpanSender {
  send(span: Span): void;
  /** Sends what is left, for a while: a receiver that is away keeps nobody from ending. */
  stop(): Promise<void>;
}

/**
 * What sends spans, in batches, to where OpenTelemetry's variables say: its packages read them from the environment.
 */
export function sendSpans(
  { share, timeoutMs }: Pick<NonNullable<TracingConfig["tracing"]>, "share" | "timeoutMs">,
  log: Logger,
): SpanSender {
  const exporter = told(new OTLPTraceExporter({ timeoutMillis: timeoutMs }), log);
  let next = { traceId: "", spanId: "" };
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
  const own = resourceFromAttributes({ "service.name": "reelay", "service.version": VERSION });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors })),
    // By the trace's id alone: every node takes the same ones.
    sampler: new TraceIdRatioBasedSampler(share),
    // Ours, so that the steps of a job are one trace wherever they were done.
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    spanProcessors: [new BatchSpanProcessor({ ...MOST, exporter })],
  });
  const tracer = provider.getTracer("reelay", VERSION);
  return {
    send({ traceId, spanId, parentId, name, start, end, attributes, events = [], failed }) {
      next = { traceId, spanId };
      const parent = { traceId, spanId: parentId ?? "", traceFlags: TraceFlags.SAMPLED, isRemote: true };
      const below = parentId === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      // A number from before this process began would count as one since then.
      const startTime = new Date(start);
      const span = tracer.startSpan(name, { startTime, attributes: { ...attributes } }, below);
      for (const event of events) span.addEvent(event.name, { ...event.attributes }, new Date(event.at));
      if (failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failed });
      span.end(new Date(end));
    },
    async stop() {
      await atMost(
        LEAVE_MS,
        provider.shutdown().catch(() => undefined),
      );
    },
  };
}

/** Says once that traces do not arrive, and once that they do again. */
function told(exporter: SpanExporter, log: Logger): SpanExporter {
  let arrive = true;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        // What the receiver says of it may be anything.
        if (failed && arrive) log.warn("Traces do not arrive where OTEL_EXPORTER_OTLP_ENDPOINT says");
        if (!failed && !arrive) log.info("Traces arrive again");
        arrive = !failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
