import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { JobBody } from "../../../adapters/http/resources/job.ts";
import { traceOf } from "../../../src/app/tracing/span.ts";
import { collector } from "../../support/collector.ts";
import { Child, type Home } from "../../support/crash-child.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";
import { homeAt } from "../../crash/trial.ts";
import { receiver } from "../../domain/webhooks/harness.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

/** What no span may hold of the job that {@link ask} asks for. */
const UNTOLD = ["Zebulon", "lighthouse", "their-user", "order-7", "/hook", "rk_"];

/** Everything that a span of a job may say of it. */
const SAID = new Set([
  "reelay.job",
  "reelay.operation",
  "reelay.platform",
  "reelay.outcome",
  "reelay.request",
  "reelay.reads",
  "reelay.failed_tries",
  "reelay.event",
  "reelay.progress",
  "http.response.status_code",
]);

async function partnerOf(home: Home, key: string): Promise<string> {
  using child = new Child(home, ["partner", "add", "Zebulon", "--key", key]);
  expect(await child.ended()).toBe(0);
  return z.object({ token: z.string() }).parse(JSON.parse(child.output)).token;
}

/** Asks for a film, as a partner's program does. */
async function ask(child: Child, token: string, webhook: string): Promise<JobBody> {
  const answer = await fetch(`${await child.url}/v1/jobs`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": "once",
      "x-request-id": "r-1",
    },
    body: JSON.stringify({
      operation: "video",
      input: { image: await testPicture(), prompt: "a lighthouse at night" },
      in_app_username: "their-user",
      metadata: { order: "order-7" },
      webhook,
    }),
  });
  if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as JobBody;
}

/** A home whose jobs are traced. */
function traced(home: Home, endpoint: string, env: Home["env"] = {}): Home {
  const here = { REELAY_PRIVATE_HOSTS: "127.0.0.1", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  return { ...home, env: { ...home.env, ...here, ...env } };
}

/** Resolves when it was told by webhook how the job ended. */
const isTold = (hook: Awaited<ReturnType<typeof receiver>>) =>
  vi.waitFor(
    () => expect(hook.arrived.map(({ body }) => body).join("")).toContain("job.completed"),
    PATIENCE_MS,
  );

async function stopped(child: Child): Promise<void> {
  child.stop();
  expect(await child.ended()).toBe(0);
}

describe("traces", { timeout: 3 * PATIENCE_MS }, () => {
  it("are one a job, from the request to the webhook, over a restart, and tell nothing of anybody", async () => {
    await using sandbox = await testSandbox();
    await using hook = await receiver();
    await using otlp = await collector();
    const home = homeAt(sandbox);
    const token = await partnerOf(home, sandbox.keys.ultra);
    const named = { OTEL_SERVICE_NAME: "films" };
    const node = (name: string) =>
      traced(home, otlp.endpoint, { ...named, OTEL_RESOURCE_ATTRIBUTES: `service.instance.id=${name}` });

    using first = new Child(node("one"));
    const { id } = await ask(first, token, hook.url);
    await stopped(first);
    using second = new Child(node("two"));
    await isTold(hook);
    await stopped(second);

    expect(new Set(otlp.paths)).toEqual(new Set(["/v1/traces"]));
    const { spans } = otlp;
    expect(new Set(spans.map(({ name }) => name))).toEqual(
      new Set(["request", "wait", "submission", "polling", "download", "delivery", "webhook", "job video"]),
    );
    const called = (name: string) => spans.filter((span) => span.name === name);
    const [whole, ...others] = called("job video");
    expect(others).toEqual([]);
    expect(whole?.parentSpanId).toBeUndefined();
    for (const span of spans) {
      expect(span.traceId).toBe(traceOf(id));
      expect(span.parentSpanId).toBe(span === whole ? undefined : whole?.spanId);
      expect(span.endTimeUnixNano >= span.startTimeUnixNano).toBe(true);
      expect(span.attributes["reelay.job"]).toBe(id);
      expect(span.from).toMatchObject({ "service.name": "films" });
      for (const { attributes } of [span, ...span.events])
        for (const key of Object.keys(attributes)) expect(SAID).toContain(key);
    }
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(called("request")[0]).toMatchObject({
      attributes: { "reelay.request": "r-1", "reelay.operation": "video", "reelay.platform": "http" },
      from: { "service.instance.id": "one" },
    });
    expect(whole).toMatchObject({
      attributes: { "reelay.outcome": "completed" },
      from: { "service.instance.id": "two" },
    });
    expect(called("polling")).toMatchObject([{ attributes: { "reelay.outcome": "completed" } }]);
    expect(called("polling")[0]?.attributes["reelay.reads"]).toBeGreaterThan(0);
    expect(called("webhook").at(-1)?.attributes).toMatchObject({
      "reelay.event": "job.completed",
      "http.response.status_code": 200,
    });
    for (const secret of [...UNTOLD, sandbox.keys.ultra, token]) expect(otlp.text).not.toContain(secret);
  });

  it("hold no job up where the collector never answers, and no stop either", async () => {
    const never = Promise.withResolvers<void>();
    await using sandbox = await testSandbox();
    await using hook = await receiver();
    await using otlp = await collector(never.promise);
    const home = traced(homeAt(sandbox), otlp.endpoint);
    const token = await partnerOf(home, sandbox.keys.ultra);
    using child = new Child(home);
    await ask(child, token, hook.url);
    await isTold(hook);
    await stopped(child);
    expect(otlp.spans.map(({ name }) => name)).toContain("job video");
  });

  it("are asked for in vain where what sends them is not installed: that is said, and nothing else is different", async () => {
    await using sandbox = await testSandbox();
    await using hook = await receiver();
    const without = `import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) {
        if (name.startsWith("@opentelemetry/"))
          throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
        return next(name, context);
      } });`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(without)}`;
    const home = homeAt(sandbox);
    const token = await partnerOf(home, sandbox.keys.ultra);
    using child = new Child(traced(home, "http://127.0.0.1:9", { NODE_OPTIONS }));
    await ask(child, token, hook.url);
    await isTold(hook);
    await stopped(child);
    expect(child.output).toContain(
      "No traces are sent: OTEL_EXPORTER_OTLP_ENDPOINT is set, but what sends them is not installed (npm install @opentelemetry/api@1 ",
    );
  });

  it.each([
    ["nothing asks for them", {}, false],
    [
      "they are switched off",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_SDK_DISABLED: "true" },
      false,
    ],
    ["they are wanted", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, true],
  ])("%s: a server loads what sends them then alone", async (_, env, wanted) => {
    await using sandbox = await testSandbox();
    const home = homeAt(sandbox);
    const hook = new URL("../../support/module-hook.ts", import.meta.url).href;
    using child = new Child({ ...home, env: { ...home.env, ...env, NODE_OPTIONS: `--import ${hook}` } });
    await child.url;
    await stopped(child);
    expect(child.output.includes("/node_modules/@opentelemetry/")).toBe(wanted);
    expect(child.output).toContain("/node_modules/bottleneck/");
  });
});
