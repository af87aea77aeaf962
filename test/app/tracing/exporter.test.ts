import { afterEach, expect, it, vi } from "vitest";
import { sendSpans } from "../../../src/app/tracing/exporter.ts";
import { openTracing } from "../../../src/app/tracing/open.ts";
import { stepOf } from "../../../src/app/tracing/span.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { collector } from "../../support/collector.ts";
import { eventually } from "../../support/eventually.ts";

afterEach(() => vi.unstubAllEnvs());

function logger() {
  const lines: string[] = [];
  const log = makeLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
  return { log, lines };
}

const spanOf = (job: string) =>
  stepOf(job, { name: "wait", start: 1, end: 2, attributes: { "reelay.job": job } });

it("keeps so many spans for a collector that does not answer, and no more", async () => {
  const answering = Promise.withResolvers<void>();
  await using otlp = await collector(answering.promise);
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", otlp.endpoint);
  const { log } = logger();
  const sender = sendSpans({ share: 1, timeoutMs: 60_000 }, log);
  for (let n = 0; n < 20_000; n++) sender.send(spanOf(`job-${n}`));
  await eventually(() => expect(otlp.paths).toHaveLength(1));
  answering.resolve();
  await sender.stop();
  // Those that were being sent, and those that waited.
  await eventually(() => expect(otlp.spans.length).toBe(512 + 2_048));
});

it("says once that traces do not arrive, and nothing of what the collector said", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
  const { log, lines } = logger();
  const sender = sendSpans({ share: 1, timeoutMs: 50 }, log);
  for (let n = 0; n < 2_000; n++) sender.send(spanOf(`job-${n}`));
  await sender.stop();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("Traces do not arrive where OTEL_EXPORTER_OTLP_ENDPOINT says");
});

it("takes a share of the traces, the same everywhere", async () => {
  await using here = await collector();
  await using there = await collector();
  const jobs = Array.from({ length: 200 }, (_, n) => `job-${n}`);
  const { log } = logger();
  for (const { endpoint } of [here, there]) {
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    const sender = sendSpans({ share: 0.25, timeoutMs: 60_000 }, log);
    for (const job of jobs) sender.send(spanOf(job));
    await sender.stop();
  }
  const taken = here.spans.map(({ traceId }) => traceId);
  expect(taken.length).toBeGreaterThan(20);
  expect(taken.length).toBeLessThan(80);
  expect(there.spans.map(({ traceId }) => traceId)).toEqual(taken);
});

it("wants an address, and says which variable has none", async () => {
  const { log, lines } = logger();
  const wrong = {
    setting: "OTEL_EXPORTER_OTLP_ENDPOINT",
    endpoint: "collector:4317",
    share: 1,
    timeoutMs: 1,
  } as const;
  expect(await openTracing(wrong, log)).toBeUndefined();
  expect(lines.join("")).toContain(
    "No traces are sent: OTEL_EXPORTER_OTLP_ENDPOINT wants the address of a collector",
  );
});
