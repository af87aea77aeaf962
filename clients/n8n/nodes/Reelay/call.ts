import {
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type ILoadOptionsFunctions,
  type JsonObject,
  NodeApiError,
  sleep,
} from "n8n-workflow";

/** Whoever calls here. */
export type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

/** What is asked for. */
interface Asked {
  readonly method?: IHttpRequestMethods;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
}

/** How often a request is sent at most, where repeating it is safe. */
const ATTEMPTS = 5;

/** Longer than this nobody waits for a request to be sent again, in seconds. */
const LONGEST_S = 60;

/** As it comes from n8n. */
interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** What Reelay says when it refuses something (RFC 9457). */
interface Problem {
  readonly detail?: string;
  readonly code?: string;
  readonly retryable?: boolean;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/**
 * Reads what is JSON.
 * @param path from `/v1` on
 * @throws NodeApiError with what Reelay said
 */
export async function call<T>(self: Caller, path: string, asked: Asked = {}): Promise<T> {
  const text = (await send(self, path, asked)).body.toString();
  return (text === "" ? {} : JSON.parse(text)) as T;
}

/** Reads a file. @throws NodeApiError with what Reelay said */
export async function read(self: Caller, path: string, query: Asked["query"] = {}): Promise<Buffer> {
  return (await send(self, path, { query })).body;
}

/** Sends a request, again where that is safe and the line broke or Reelay says when. */
async function send(self: Caller, path: string, asked: Asked): Promise<Answer> {
  const isSafe = (asked.method ?? "GET") !== "POST" || asked.headers?.["Idempotency-Key"] !== undefined;
  for (let attempt = 1; ; attempt++) {
    const isLast = !isSafe || attempt >= ATTEMPTS;
    const answer = await once(self, path, asked, isLast);
    if (answer && answer.statusCode < 400) return answer;
    const problem = answer ? problemIn(answer) : {};
    const told = Number(answer?.headers["retry-after"] ?? Number.NaN);
    const seconds = Number.isNaN(told) ? 2 ** attempt / 4 : told;
    const isWorthwhile = !answer || (problem.retryable ?? [429, 502, 503, 504].includes(answer.statusCode));
    if (answer && (isLast || !isWorthwhile || seconds > LONGEST_S)) throw refusal(self, answer, problem);
    await sleep(seconds * 1000);
  }
}

/** Undefined where the line broke, unless that was the last time. */
async function once(self: Caller, path: string, asked: Asked, isLast: boolean): Promise<Answer | undefined> {
  const { method = "GET", headers = {}, query = {}, body } = asked;
  const { baseUrl } = await self.getCredentials<{ readonly baseUrl: string }>("reelayApi");
  try {
    return (await self.helpers.httpRequestWithAuthentication.call(self, "reelayApi", {
      method,
      url: baseUrl.replace(/\/+$/, "") + path,
      headers: { ...headers },
      qs: { ...query },
      ...(body && { body }),
      encoding: "arraybuffer",
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
    })) as Answer;
  } catch (error) {
    if (!isLast) return undefined;
    throw new NodeApiError(self.getNode(), error as JsonObject, { message: "Reelay could not be reached" });
  }
}

/** What stands between may answer with anything. */
function problemIn({ body }: Answer): Problem {
  try {
    return (JSON.parse(body.toString()) ?? {}) as Problem;
  } catch {
    return {};
  }
}

function refusal(self: Caller, { statusCode }: Answer, problem: Problem): NodeApiError {
  const { detail = `Refused with status ${statusCode}`, code = "unknown", errors = [] } = problem;
  const fields = errors.map(({ field, message }) => `${field}: ${message}`);
  return new NodeApiError(self.getNode(), { ...problem } as JsonObject, {
    message: detail,
    description: [...fields, `Code: ${code}`].join("\n"),
    httpCode: String(statusCode),
  });
}
