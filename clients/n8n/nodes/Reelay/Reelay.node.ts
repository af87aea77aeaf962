import {
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
  type ResourceMapperFields,
} from "n8n-workflow";
import { ACTS } from "./jobs.ts";
import { choicesFor, fieldsFor } from "./operations.ts";
import { properties } from "./properties.ts";

/** Makes videos and pictures, and does what there is to do with their jobs. */
export class Reelay implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Reelay",
    name: "reelay",
    icon: { light: "file:../../icons/reelay.svg", dark: "file:../../icons/reelay.dark.svg" },
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Make videos and pictures",
    defaults: { name: "Reelay" },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: "reelayApi", required: true }],
    properties,
  };

  methods = {
    loadOptions: {
      async getOperations(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        return choicesFor(this);
      },
    },
    resourceMapping: {
      async getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
        return fieldsFor(this);
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const made: INodeExecutionData[] = [];
    for (const item of this.getInputData().keys()) {
      try {
        const name = this.getNodeParameter("operation", item) as string;
        const act = ACTS[name];
        if (!act) throw new NodeOperationError(this.getNode(), `There is no operation '${name}'`);
        made.push(...(await act(this, item)));
      } catch (error) {
        const told = asNodeError(this, error as Error, item);
        if (!this.continueOnFail()) throw told;
        const { message, description } = told;
        made.push({ json: { error: message, description }, error: told, pairedItem: { item } });
      }
    }
    return [made];
  }
}

/** Which n8n shows at the item. */
function asNodeError(
  self: IExecuteFunctions,
  error: Error,
  itemIndex: number,
): NodeApiError | NodeOperationError {
  const isTheirs = error instanceof NodeApiError || error instanceof NodeOperationError;
  const told = isTheirs ? error : new NodeOperationError(self.getNode(), error, { itemIndex });
  told.context["itemIndex"] = itemIndex;
  return told;
}
