import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { serve } from "../infrastructure/api/server.ts";

const attributes = z
  .array(
    z.strictObject({
      key: z.string(),
      value: z.union([
        z.strictObject({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
        z.strictObject({ intValue: z.number() }).transform(({ intValue }) => intValue),
        z.strictObject({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
      ]),
    }),
  )
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value])));

const nanoseconds = z.string().transform(BigInt);

const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  events: z.array(z.object({ name: z.string(), timeUnixNano: nanoseconds, attributes })),
  status: z.object({ code: z.number(), message: z.string().optional() }),
});

/** What is sent (OTLP/HTTP, JSON), as far as it is looked at. */
const sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** A span with what sent it. */
type CollectedSpan = z.output<typeof span> & { readonly from: z.output<typeof attributes> };

/** A collector of traces, over HTTP. `await using` stops it. */
export interface Collector extends AsyncDisposable {
  /** As OTEL_EXPORTER_OTLP_ENDPOINT names it. */
  readonly endpoint: string;
  /** Where it was called. */
  readonly paths: readonly string[];
  /** All that was sent, as it came. */
  readonly text: string;
  readonly spans: readonly CollectedSpan[];
}

/** Opens one. @param answering what it waits for before it answers; left out: nothing */
export async function collector(answering?: Promise<unknown>): Promise<Collector> {
  const bodies: string[] = [];
  const server = await serve((request, response) => {
    const take = async () => {
      bodies.push((await buffer(request)).toString());
      await answering;
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    };
    void take();
  });
  return {
    endpoint: server.origin,
    get paths() {
      return server.requests.map(({ path }) => path);
    },
    get text() {
      return bodies.join("\n");
    },
    get spans() {
      return bodies
        .flatMap((body) => sent.parse(JSON.parse(body)).resourceSpans)
        .flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans.map((one) => ({ ...one, from: resource.attributes }))),
        );
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
