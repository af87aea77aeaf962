import type { z } from "zod";
import type { Json } from "../../../src/common/json.ts";

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type OpenApiSchema = z.core.JSONSchema.JSONSchema;

/** A pointer to something under `components`. */
export interface Reference {
  readonly $ref: string;
}

/** A value that shows what something may be. */
export interface Example {
  readonly summary: string;
  readonly value: Json;
}

/** What a body holds, by content type. */
export type Content = Readonly<Record<string, MediaType>>;

/** One representation of a body. */
interface MediaType {
  readonly schema?: OpenApiSchema;
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, Example | Reference>>;
}

/** Something that a request takes beside its body. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description: string;
  readonly required: boolean;
  readonly schema: OpenApiSchema;
}

/** A header of an answer. */
export interface Header {
  readonly description: string;
  readonly schema: OpenApiSchema;
}

/** What comes back under one status code. */
export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

/** What a request carries. */
export interface OpenApiRequestBody {
  readonly description?: string;
  readonly required: boolean;
  readonly content: Content;
}

/** A call as one types it. */
export interface CodeSample {
  /** Of the language that it is in. */
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** A heading of the documentation, with what it is about in Markdown. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** What can be called at a path with a method. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Set where it is to go. */
  readonly deprecated?: true;
  /** None: no token is needed. */
  readonly security: readonly { readonly token: readonly [] }[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: OpenApiRequestBody;
  readonly responses: Readonly<Record<string, Response>>;
  readonly "x-codeSamples": readonly CodeSample[];
}

/** What is sent to a partner's address. */
export interface WebhookOperation extends Omit<OpenApiOperation, "security" | "responses" | "x-codeSamples"> {
  /** How it is known to be from here. */
  readonly security: readonly { readonly signature: readonly [] }[];
  readonly requestBody: OpenApiRequestBody;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** An OpenAPI 3.1 document, as far as it is used here. */
export interface OpenApi {
  readonly openapi: "3.1.1";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly Tag[];
  /** By path, then by method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  /** By type of event. */
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, OpenApiSchema>>;
    readonly examples: Readonly<Record<string, Example>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, Json>>;
  };
}
