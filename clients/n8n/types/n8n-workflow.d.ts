/**
 * What is used here of n8n's interfaces: the package that declares all of them brings hundreds of others along. Where this differs from
 * it, it says less: whatever goes by this goes by that.
 */
declare module "n8n-workflow" {
  import type { IncomingHttpHeaders } from "node:http";

  type Value = string | number | boolean | object | null | undefined;
  export type IDataObject = Record<string, Value>;
  type Json = string | number | boolean | null | JsonObject | Json[];
  export interface JsonObject {
    [name: string]: Json;
  }

  interface Named {
    readonly displayName: string;
    readonly name: string;
  }

  export interface IDisplayOptions {
    show?: Record<string, (string | boolean)[]>;
  }

  export interface INodePropertyOptions {
    name: string;
    value: string | number;
    action?: string;
    description?: string;
  }

  interface TypeOptions {
    password?: boolean;
    minValue?: number;
    loadOptionsMethod?: string;
    loadOptionsDependsOn?: string[];
    resourceMapper?: {
      resourceMapperMethod: string;
      mode: "add";
      fieldWords: { singular: string; plural: string };
      addAllFields: boolean;
      multiKeyMatch: boolean;
      supportAutoMap: boolean;
    };
  }

  export interface INodeProperties extends Named {
    type:
      | "boolean"
      | "collection"
      | "dateTime"
      | "json"
      | "multiOptions"
      | "number"
      | "options"
      | "resourceMapper"
      | "string";
    default: string | number | boolean | string[] | object;
    description?: string;
    hint?: string;
    placeholder?: string;
    required?: boolean;
    noDataExpression?: boolean;
    typeOptions?: TypeOptions;
    displayOptions?: IDisplayOptions;
    options?: (INodePropertyOptions | INodeProperties)[];
  }

  interface Icon {
    readonly light: `file:${string}`;
    readonly dark: `file:${string}`;
  }

  export interface IAuthenticateGeneric {
    type: "generic";
    properties: { headers: Record<string, string> };
  }

  export interface ICredentialTestRequest {
    request: { baseURL: string; url: string };
  }

  export interface ICredentialType extends Named {
    icon?: Icon;
    documentationUrl?: string;
    properties: INodeProperties[];
    authenticate?: IAuthenticateGeneric;
    test?: ICredentialTestRequest;
  }

  export type FieldType = "boolean" | "number" | "options" | "string";

  export interface ResourceMapperField {
    id: string;
    displayName: string;
    required: boolean;
    defaultMatch: boolean;
    display: boolean;
    removed?: boolean;
    type?: FieldType;
    options?: INodePropertyOptions[];
    defaultValue?: string | number | boolean | null;
  }

  export interface ResourceMapperFields {
    fields: ResourceMapperField[];
  }

  export const NodeConnectionTypes: { readonly Main: "main" };

  export interface INodeTypeDescription extends Named {
    icon: Icon;
    group: ("transform" | "trigger")[];
    version: number;
    subtitle: string;
    description: string;
    defaults: { name: string };
    inputs: "main"[];
    outputs: "main"[];
    usableAsTool?: true;
    credentials: { name: string; required: boolean }[];
    webhooks?: { name: "default"; httpMethod: "POST"; responseMode: "onReceived"; path: string }[];
    properties: INodeProperties[];
  }

  type Loads<T> = (this: ILoadOptionsFunctions) => Promise<T>;
  type Hooks = (this: IHookFunctions) => Promise<boolean>;

  export interface INodeType {
    description: INodeTypeDescription;
    methods?: {
      loadOptions: Record<string, Loads<INodePropertyOptions[]>>;
      resourceMapping: Record<string, Loads<ResourceMapperFields>>;
    };
    webhookMethods?: { default: { checkExists: Hooks; create: Hooks; delete: Hooks } };
    execute?(this: IExecuteFunctions): Promise<INodeExecutionData[][]>;
    webhook?(this: IWebhookFunctions): Promise<IWebhookResponseData>;
  }

  export type IHttpRequestMethods = "DELETE" | "GET" | "POST";

  interface HttpRequestOptions {
    url: string;
    method: IHttpRequestMethods;
    headers: IDataObject;
    qs: IDataObject;
    body?: Buffer;
    encoding: "arraybuffer";
    returnFullResponse: boolean;
    ignoreHttpStatusErrors: boolean;
  }

  interface INode {
    readonly id: string;
  }

  interface Functions {
    getNode(): INode;
    getCredentials<T extends object>(type: string): Promise<T>;
    getWorkflowStaticData(type: "node"): IDataObject;
    getExecutionId(): string;
    getInstanceId(): string;
    getWorkflow(): { readonly id?: string };
  }

  interface Requests {
    readonly helpers: {
      httpRequestWithAuthentication(
        this: Requests,
        credentials: string,
        options: HttpRequestOptions,
      ): Promise<unknown>;
    };
  }

  export interface ILoadOptionsFunctions extends Functions, Requests {
    getCurrentNodeParameter(name: string): Value;
  }

  export interface IHookFunctions extends Functions, Requests {
    getNodeParameter(name: string): Value;
    getNodeWebhookUrl(name: "default"): string | undefined;
  }

  interface IBinaryData {
    readonly mimeType: string;
    readonly fileName?: string;
  }

  export interface INodeExecutionData {
    json: IDataObject;
    binary?: Record<string, IBinaryData>;
    error?: NodeApiError | NodeOperationError;
    pairedItem?: { item: number };
  }

  export interface IExecuteFunctions extends Functions, Requests {
    readonly helpers: Requests["helpers"] & {
      assertBinaryData(item: number, field: string): IBinaryData;
      getBinaryDataBuffer(item: number, field: string): Promise<Buffer>;
      prepareBinaryData(bytes: Buffer, name: string, type: string): Promise<IBinaryData>;
    };
    getInputData(): INodeExecutionData[];
    getNodeParameter(name: string, item: number, fallback?: Value): Value;
    getWorkflowDataProxy(item: number): object;
    getExecutionCancelSignal(): AbortSignal | undefined;
    continueOnFail(): boolean;
  }

  export interface IWebhookFunctions extends Functions {
    getHeaderData(): IncomingHttpHeaders;
    getRequestObject(): { rawBody: Buffer; readRawBody(): Promise<void> };
    getResponseObject(): { status(code: number): { send(text: string): unknown } };
  }

  export interface IWebhookResponseData {
    workflowData?: INodeExecutionData[][];
    webhookResponse?: string;
    noWebhookResponse?: boolean;
  }

  interface Told {
    message?: string;
    description?: string;
    httpCode?: string;
    itemIndex?: number;
  }

  class NodeError extends Error {
    description: string | null | undefined;
    readonly context: IDataObject;
  }

  export class NodeApiError extends NodeError {
    readonly httpCode: string | null;
    constructor(node: INode, response: JsonObject, told?: Told);
  }

  export class NodeOperationError extends NodeError {
    constructor(node: INode, error: Error | string, told?: Told);
  }

  export function sleep(ms: number): Promise<void>;
}
