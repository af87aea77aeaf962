import { type IHookFunctions, NodeApiError } from "n8n-workflow";
import { call } from "../Reelay/call.ts";

/** What is kept of the webhook with the workflow. */
interface Kept {
  id?: string;
  secret?: string;
}

/** A webhook, as Reelay has it. */
interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
}

/** Whether Reelay tells this workflow of what it wants to hear. */
export async function isRegistered(self: IHookFunctions): Promise<boolean> {
  const { id, secret } = kept(self);
  if (!id || !secret) return false;
  const found = await unlessGone(() => call<Webhook>(self, path(id)));
  // Another address is that of the workflow in use while somebody tries the trigger out, or the other way round.
  if (!found || found.url !== self.getNodeWebhookUrl("default")) return false;
  const wanted = events(self);
  if (
    found.enabled &&
    found.events.length === wanted.length &&
    wanted.every((one) => found.events.includes(one))
  )
    return true;
  await unregister(self);
  return false;
}

/** Has Reelay tell this workflow. */
export async function register(self: IHookFunctions): Promise<void> {
  const body = Buffer.from(JSON.stringify({ url: self.getNodeWebhookUrl("default"), events: events(self) }));
  const headers = { "Content-Type": "application/json" };
  const asked = { method: "POST", headers, body } as const;
  const { id, secret } = await call<Required<Kept>>(self, "/v1/webhooks", asked);
  Object.assign(self.getWorkflowStaticData("node"), { id, secret });
}

/** Has it tell this workflow no more. */
export async function unregister(self: IHookFunctions): Promise<void> {
  const { id } = kept(self);
  if (id) await unlessGone(() => call(self, path(id), { method: "DELETE" }));
  const data = self.getWorkflowStaticData("node");
  delete data["id"];
  delete data["secret"];
}

function kept(self: IHookFunctions): Kept {
  return self.getWorkflowStaticData("node");
}

function events(self: IHookFunctions): readonly string[] {
  return self.getNodeParameter("events") as string[];
}

function path(id: string): string {
  return `/v1/webhooks/${encodeURIComponent(id)}`;
}

/** Somebody may have removed it at Reelay. */
async function unlessGone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  return ask().catch((error: unknown) => {
    if (error instanceof NodeApiError && error.httpCode === "404") return undefined;
    throw error;
  });
}
