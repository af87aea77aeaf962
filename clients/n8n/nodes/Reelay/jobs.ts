import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  NodeApiError,
  NodeOperationError,
  sleep,
} from "n8n-workflow";
import { call, read } from "./call.ts";
import { formOf } from "./form.ts";
import { isOver, type Job, type Operation, type Page } from "./model.ts";
import { keyOf } from "./once.ts";
import { operation } from "./operations.ts";

/** How long a job that is still made is left alone before it is read again, in seconds. */
const PAUSE_S = 2;

/** How long one answer is waited for at most: Reelay's bound of `Prefer: wait`, in seconds. */
const LONGEST_WAIT_S = 60;

/** How many jobs one page has at most. */
const PAGE = 100;

/** Does to one item what was chosen. */
export type Act = (self: IExecuteFunctions, item: number) => Promise<readonly INodeExecutionData[]>;

/** By the name of the choice. */
export const ACTS: Readonly<Record<string, Act>> = {
  create,
  get: async (self, item) => [shown(await job(self, item), item)],
  getAll,
  cancel,
  delete: async (self, item) => {
    const here = self.getNodeParameter("here", item, false) ? "?here=true" : "";
    return [shown(await call<Job>(self, `${path(self, item)}${here}`, { method: "DELETE" }), item)];
  },
  download: async (self, item) => files(self, item, await job(self, item)),
};

async function create(self: IExecuteFunctions, item: number): Promise<readonly INodeExecutionData[]> {
  const chosen = self.getNodeParameter("make", item) as string;
  const options = self.getNodeParameter("options", item, {}) as IDataObject;
  const isAwaited = self.getNodeParameter("wait", item, false) as boolean;
  const seconds = isAwaited ? (self.getNodeParameter("timeout", item, 600) as number) : 0;
  const { idempotencyKey, ...beside } = options;
  const wanted = await operation(self, chosen);
  const form = await formOf(self, item, wanted, valuesOf(self, item, wanted), beside);
  const until = Date.now() + seconds * 1000;
  const headers = {
    "Content-Type": form.type,
    "Idempotency-Key": (idempotencyKey as string | undefined) || keyOf(self, item),
    ...(seconds >= 1 && { Prefer: `wait=${Math.min(Math.floor(seconds), LONGEST_WAIT_S)}` }),
  };
  const asked = await call<Job>(self, "/v1/jobs", { method: "POST", headers, body: form.body });
  if (!isAwaited) return [shown(asked, item)];
  return files(self, item, await ended(self, item, asked, until));
}

/** What the fields were given, by hand or by names of the item's own. */
function valuesOf(self: IExecuteFunctions, item: number, { input_schema }: Operation): IDataObject {
  const isAutomatic = self.getNodeParameter("input.mappingMode", item, "defineBelow") === "autoMapInputData";
  if (!isAutomatic) return (self.getNodeParameter("input.value", item, {}) as IDataObject | null) ?? {};
  const own = Object.entries(self.getInputData()[item]?.json ?? {});
  return Object.fromEntries(own.filter(([name]) => name in input_schema.properties));
}

async function ended(self: IExecuteFunctions, item: number, asked: Job, until: number): Promise<Job> {
  let current = asked;
  while (!isOver(current)) {
    const isCancelled = self.getExecutionCancelSignal()?.aborted === true;
    if (isCancelled || Date.now() >= until)
      throw new NodeOperationError(self.getNode(), `The job ${asked.id} is still being made`, {
        itemIndex: item,
        description: "It goes on. Read it later by its ID, or wait longer.",
      });
    await sleep(PAUSE_S * 1000);
    current = await call<Job>(self, `/v1/jobs/${asked.id}`);
  }
  return current;
}

async function getAll(self: IExecuteFunctions, item: number): Promise<readonly INodeExecutionData[]> {
  const isAll = self.getNodeParameter("returnAll", item) as boolean;
  const most = isAll ? Number.POSITIVE_INFINITY : (self.getNodeParameter("limit", item) as number);
  const filters = self.getNodeParameter("filters", item, {}) as Record<string, string>;
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
  const jobs: Job[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(PAGE, most - jobs.length);
    const query = { ...given, limit, ...(cursor !== null && { cursor }) };
    const page: Page<Job> = await call<Page<Job>>(self, "/v1/jobs", { query });
    jobs.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && jobs.length < most);
  return jobs.map((one) => shown(one, item));
}

/** Never deletes a result: the same request does, where a job has ended. */
async function cancel(self: IExecuteFunctions, item: number): Promise<readonly INodeExecutionData[]> {
  const found = await job(self, item);
  if (isOver(found))
    throw new NodeOperationError(self.getNode(), `The job ${found.id} has ended already: ${found.status}`, {
      itemIndex: item,
    });
  return [shown(await call<Job>(self, path(self, item), { method: "DELETE" }), item)];
}

/** An item for each file, with the job. @throws NodeApiError with the reason where nothing came of it */
async function files(self: IExecuteFunctions, item: number, done: Job): Promise<INodeExecutionData[]> {
  if (done.status !== "completed")
    throw new NodeApiError(
      self.getNode(),
      { ...done.error },
      {
        message: done.error?.detail ?? `The job ${done.id} has no result: it is ${done.status}`,
        description: `Job: ${done.id}${done.error ? `\nCode: ${done.error.code}` : ""}`,
      },
    );
  const field = self.getNodeParameter("binaryField", item, "data") as string;
  return Promise.all(
    done.media.map(async ({ name, type }, index) => {
      const bytes = await read(self, `/v1/jobs/${done.id}/media`, { index });
      const binary = { [field]: await self.helpers.prepareBinaryData(bytes, name, type) };
      return { ...shown(done, item), binary };
    }),
  );
}

async function job(self: IExecuteFunctions, item: number): Promise<Job> {
  return call<Job>(self, path(self, item));
}

function path(self: IExecuteFunctions, item: number): string {
  return `/v1/jobs/${encodeURIComponent(self.getNodeParameter("jobId", item) as string)}`;
}

function shown(what: Job, item: number): INodeExecutionData {
  return { json: { ...what }, pairedItem: { item } };
}
