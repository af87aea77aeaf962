import type { Binary, Item, NodePackage, Property } from "./package.ts";

/** What a node is run with. */
interface Run {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly items?: readonly Item[];
  readonly execution?: string;
  readonly run?: number;
  readonly continues?: boolean;
  readonly signal?: AbortSignal;
  readonly data?: Record<string, unknown>;
  readonly webhookUrl?: string;
}

/** Who is asked, and by whom. */
interface Credentials {
  readonly baseUrl: string;
  readonly accessToken: string;
}

/** A request, with exactly what nodes here may ask for. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly qs: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  readonly encoding: "arraybuffer";
  readonly returnFullResponse: true;
  readonly ignoreHttpStatusErrors: true;
}

const KNOWN = new Set([
  "method",
  "url",
  "headers",
  "qs",
  "body",
  "encoding",
  "returnFullResponse",
  "ignoreHttpStatusErrors",
]);

/** What n8n lends a node, and refuses it. */
export type Host = ReturnType<typeof hostFor>;

/** Fills in what n8n's expressions name, of those that are understood here. @throws for any other expression */
export function filled(expression: string, credentials: Credentials): string {
  if (!expression.startsWith("=")) return expression;
  const text = expression
    .slice(1)
    .replace("{{$credentials.baseUrl}}", credentials.baseUrl)
    .replace("{{$credentials.accessToken}}", credentials.accessToken);
  if (text.includes("{{")) throw new Error(`Not understood: ${expression}`);
  return text;
}

/** A node's surroundings for one run, as strict as n8n's own. */
export function hostFor(
  { credential }: Pick<NodePackage, "credential">,
  properties: readonly Property[],
  credentials: Credentials,
  { parameters = {}, items = [{ json: {} }], execution = "1", run = 0, ...given }: Run = {},
) {
  const values: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(properties.map((property) => [property.name, property.default])),
    ...parameters,
  };
  const isShown = ({ displayOptions }: Property) =>
    Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) => wanted.includes(values[name]));

  /** A parameter, or a part of one; those that are hidden have no value. */
  function valueOf(path: string): unknown {
    const [name, ...rest] = path.split(".");
    const shown = properties.filter((property) => property.name === name);
    if (shown.length === 0) throw new Error(`The node has no parameter ${path}.`);
    if (!shown.some(isShown)) return undefined;
    return rest.reduce<unknown>(
      (value, part) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[part],
      values[name ?? ""],
    );
  }

  const fileOf = (item: number, field: string): Binary => {
    const file = items[item]?.binary?.[field];
    if (!file) throw new Error(`There is no ${field}.`);
    return file;
  };

  return {
    helpers: {
      async httpRequestWithAuthentication(this: unknown, name: string, asked: Asked) {
        if (this === undefined || name !== "reelayApi") throw new TypeError("Whose request is it?");
        const unknown = Object.keys(asked).filter((one) => !KNOWN.has(one));
        if (unknown.length > 0) throw new TypeError(`Not understood: ${unknown.join(", ")}`);
        const own = Object.entries(credential.authenticate.properties.headers);
        const headers = new Headers(asked.headers);
        for (const [header, value] of own) headers.set(header, filled(value, credentials));
        const query = new URLSearchParams();
        for (const [key, value] of Object.entries(asked.qs)) query.set(key, `${value}`);
        const url = asked.url + (query.size > 0 ? `?${query.toString()}` : "");
        const body = asked.body && { body: new Uint8Array(asked.body) };
        const answer = await fetch(url, { method: asked.method, headers, ...body });
        return {
          statusCode: answer.status,
          headers: Object.fromEntries(answer.headers),
          body: Buffer.from(await answer.arrayBuffer()),
        };
      },
      assertBinaryData: fileOf,
      getBinaryDataBuffer: async (item: number, field: string) => fileOf(item, field).bytes,
      prepareBinaryData: async (bytes: Buffer, fileName: string, mimeType: string): Promise<Binary> => ({
        bytes,
        fileName,
        mimeType,
      }),
    },
    getCredentials: async () => credentials,
    getNode: () => ({ id: "a-node" }),
    getWorkflow: () => ({ id: "a-workflow" }),
    getExecutionId: () => execution,
    getInstanceId: () => "an-instance",
    getWorkflowDataProxy: () => ({ $runIndex: run }),
    getExecutionCancelSignal: () => given.signal,
    getWorkflowStaticData: () => given.data ?? {},
    getInputData: () => items,
    getCurrentNodeParameter: valueOf,
    getNodeParameter(name: string, _item?: number, fallback?: unknown) {
      const value = valueOf(name) ?? fallback;
      if (value === undefined) throw new Error(`Could not get parameter ${name}`);
      return value;
    },
    getNodeWebhookUrl: () => given.webhookUrl,
    continueOnFail: () => given.continues ?? false,
  };
}
