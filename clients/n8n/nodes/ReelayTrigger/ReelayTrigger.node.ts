import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from "n8n-workflow";
import { isRegistered, register, unregister } from "./registration.ts";
import { isSigned } from "./signature.ts";

/** Starts a workflow when Reelay says that a job got on or has ended. */
export class ReelayTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Reelay Trigger",
    name: "reelayTrigger",
    icon: { light: "file:../../icons/reelay.svg", dark: "file:../../icons/reelay.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when a job has ended",
    defaults: { name: "Reelay Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "reelayApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        options: [
          {
            name: "Budget Warning",
            value: "budget.warning",
            description: "Most of a budget is spent, once in its day or month",
          },
          { name: "Job Cancelled", value: "job.cancelled" },
          { name: "Job Completed", value: "job.completed" },
          { name: "Job Failed", value: "job.failed" },
          { name: "Job Progress", value: "job.progress", description: "Each time that a job got on" },
        ],
        default: ["job.completed", "job.failed", "job.cancelled"],
        required: true,
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return isRegistered(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await register(this);
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await unregister(this);
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject();
    if (!request.rawBody) await request.readRawBody();
    const { secret = "" } = this.getWorkflowStaticData("node") as { readonly secret?: string };
    if (!isSigned(request.rawBody, this.getHeaderData(), secret, Date.now())) {
      this.getResponseObject().status(401).send("Not signed with the secret of this webhook just now.");
      return { noWebhookResponse: true };
    }
    const message = JSON.parse(request.rawBody.toString()) as IDataObject;
    // Sent to see whether somebody is there: nothing happened.
    if (message["type"] === "ping") return { webhookResponse: "Received" };
    const json = { id: String(this.getHeaderData()["webhook-id"]), ...message };
    return { workflowData: [[{ json }]] };
  }
}
