import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { Refusal } from "./refusal.ts";

interface Schema {
  readonly [keyword: string]: unknown;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly requestBody?: Payload;
  readonly responses: Readonly<Record<string, Payload>>;
}

interface Payload {
  readonly content: Readonly<
    Record<
      string,
      { readonly schema: Schema; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }
    >
  >;
}

const WEBHOOKS = "/whatsapp/webhooks";

/** Of schemas that are there for both ways, what comes in is called so. */
const INCOMING = "_1";

const POINTER = "#/components/schemas/";

/** What the messages' page has and the description forgot: a text of the sender's own, which statuses tell again. */
const OPAQUE = { biz_opaque_callback_data: { type: "string", maxLength: 512 } };

/** Meta's official description of the Cloud API, as far as messages, media and webhooks. */
export class Description {
  readonly #document: OpenApi;
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    validateSchema: false,
  });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: OpenApi) {
    this.#document = document;
    const { schemas } = document.components;
    for (const [name, schema] of Object.entries(repaired(schemas)))
      this.#ajv.addSchema(readable(schema, schemas), name);
    this.#ajv.addSchema(readable(incoming(schemas), schemas), "incoming");
  }

  /**
   * Checks what is sent with POST messages.
   * @throws Refusal for a message that does not fit
   */
  checkMessage(body: { readonly type?: unknown }): void {
    const kinds = mapping(this.#document.components.schemas["Message"]);
    const kind = kinds[String(body.type)];
    if (!kind)
      throw new Refusal(100, `Param type must be one of {${Object.keys(kinds).join(", ").toUpperCase()}}`);
    const wrong = this.#wrong(kind, body);
    if (wrong) throw new Refusal(100, wrong);
  }

  /**
   * Checks what the fake answers.
   * @throws Error for an answer that does not fit
   */
  checkAnswer(route: string, answer: unknown): void {
    const [method = "", path = ""] = route.split(" ");
    const payload = this.#document.paths[path]?.[method.toLowerCase()]?.responses["200"];
    const schema = payload?.content["application/json"]?.schema;
    if (!schema) return;
    // A name that references can be resolved beside.
    const name = `answer-${route.replaceAll(/\W+/g, "-")}`;
    if (!this.#ajv.getSchema(name))
      this.#ajv.addSchema(readable(schema, this.#document.components.schemas), name);
    const wrong = this.#wrong(name, answer);
    if (wrong) throw new Error(`${route} must not be answered so: ${wrong}`);
  }

  /**
   * Checks a webhook of the fake's.
   * @throws Error for one that does not fit
   */
  checkWebhook(body: unknown): void {
    const wrong = this.#wrong("incoming", body);
    if (wrong) throw new Error(`No webhook may say so: ${wrong}`);
  }

  /** The webhooks that the description shows, by their names. */
  get webhooks(): Readonly<Record<string, { readonly value: unknown }>> {
    return this.#document.paths[WEBHOOKS]?.["post"]?.requestBody?.content["application/json"]?.examples ?? {};
  }

  #wrong(name: string, value: unknown): string | undefined {
    const validate = this.#validators.get(name) ?? this.#ajv.getSchema(name);
    if (!validate) throw new Error(`The description has no ${name}.`);
    this.#validators.set(name, validate);
    return validate(value)
      ? undefined
      : this.#ajv.errorsText(validate.errors?.slice(0, 5), { dataVar: "body" });
  }
}

/** Which schema each `type` has. */
function mapping(schema: Schema | undefined): Record<string, string> {
  const { mapping: kinds = {} } = (schema?.["discriminator"] ?? {}) as {
    readonly mapping?: Record<string, string>;
  };
  return Object.fromEntries(Object.entries(kinds).map(([type, ref]) => [type, ref.slice(POINTER.length)]));
}

/**
 * What the description's own examples break: `policy` of a language is "required" and in none of them; an index is "0" in all of
 * them, and its pattern allows no digit below 2.
 */
function repaired(schemas: OpenApi["components"]["schemas"]): Record<string, Schema> {
  const { LanguageObject: language, TemplateComponent: component } = schemas;
  const properties = component?.["properties"] as Record<string, Schema>;
  return {
    ...schemas,
    LanguageObject: { ...language, required: ["code"] },
    TemplateComponent: { ...component, properties: { ...properties, index: { pattern: String.raw`^\d$` } } },
  };
}

/**
 * A webhook's schema. Whoever put the description together led its references to what is sent: what comes has the
 * same names with a mark, or the same members with another base.
 */
function incoming(schemas: OpenApi["components"]["schemas"]): Schema {
  const name = (ref: string) => {
    const marked = `${ref}${INCOMING}`;
    const isOwn = marked in schemas && !/^(?:TextMessage|ErrorObject|ContactObject)$/.test(ref);
    return isOwn ? marked : ref;
  };
  const lead = (schema: Schema): Schema =>
    JSON.parse(JSON.stringify(schema), (key, inner: unknown) =>
      key === "$ref" && typeof inner === "string" ? POINTER + name(inner.slice(POINTER.length)) : inner,
    ) as Schema;
  const $defs = Object.fromEntries(
    Object.entries(schemas).map(([key, schema]) => [key, merged(lead(schema), schemas)]),
  );
  const text = {
    type: "object",
    properties: { text: { $ref: `${POINTER}TextMessage_1` } },
    required: ["text"],
  };
  return {
    $defs: {
      ...$defs,
      // Statuses and messages share what an error is; of a message it has no type, but a title.
      ErrorObject: { type: "object", required: ["code", "title"] },
      IncomingMessage: {
        type: "object",
        required: ["from", "id", "timestamp", "type"],
        // A later kind of message fits: the description says nothing of those.
        allOf: Object.entries(mapping(schemas["IncomingMessage"])).map(([type, schema]) => ({
          if: { properties: { type: { const: type } } },
          // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own word
          then: type === "text" ? text : { $ref: POINTER + name(schema) },
        })),
      },
      Change: {
        type: "object",
        required: ["value", "field"],
        properties: {
          value: {
            anyOf: ["General", "System"]
              .map((kind) => `IncomingMessageValue${kind}`)
              .concat("StatusMessageValue", "GroupValue")
              .map((kind) => ({ $ref: POINTER + kind })),
          },
        },
      },
    },
    $ref: `${POINTER}WebhookPayload`,
  };
}

/** One object instead of `allOf`: closed members would else refuse what stands in the others. */
function merged(schema: Schema, schemas: OpenApi["components"]["schemas"]): Schema {
  const { allOf } = schema as { readonly allOf?: readonly Schema[] };
  if (!allOf) return schema;
  const members = allOf.map((member) => {
    const ref = member["$ref"];
    return typeof ref === "string" ? (schemas[ref.slice(POINTER.length)] ?? {}) : member;
  });
  return {
    type: "object",
    properties: Object.assign({}, ...members.map(({ properties }) => properties), OPAQUE) as Schema,
    required: [...new Set(members.flatMap(({ required }) => (required ?? []) as readonly string[]))],
    ...(members.some((member) => member["additionalProperties"] === false) && {
      additionalProperties: false,
    }),
  };
}

/** As ajv reads it: without examples and discriminators, its references to its own definitions. */
function readable(schema: Schema, schemas: OpenApi["components"]["schemas"]): Schema {
  const text = JSON.stringify(merged(schema, schemas), (key, value: unknown) =>
    key === "example" || key === "examples" || key === "discriminator" ? undefined : value,
  );
  const isWhole = "$defs" in schema;
  return JSON.parse(text.replaceAll(POINTER, isWhole ? "#/$defs/" : "")) as Schema;
}

let described: Promise<Description | undefined> | undefined;

/** The description from the folder that `REELAY_TEST_SPECS` names; else nothing, and a sentence that says so. */
export function loadDescription(): Promise<Description | undefined> {
  described ??= read(process.env["REELAY_TEST_SPECS"]);
  return described;
}

async function read(folder: string | undefined): Promise<Description | undefined> {
  if (folder) return new Description(await documentIn(folder));
  process.stdout.write(
    "REELAY_TEST_SPECS is not set: the check of WhatsApp calls against the official description is skipped.\n",
  );
  return undefined;
}

/** Reading that megabyte of YAML takes two seconds: whichever file of a run does it first leaves it as JSON to the others. */
async function documentIn(folder: string): Promise<OpenApi> {
  const kept = join(tmpdir(), "whatsapp-business.json");
  const known = await readFile(kept, "utf8").catch(() => undefined);
  if (known !== undefined) return JSON.parse(known) as OpenApi;
  const document = parse(await readFile(join(folder, "whatsapp-business.yaml"), "utf8")) as OpenApi;
  // Whole or not there: others read it meanwhile.
  const partial = `${kept}.${randomUUID()}`;
  await writeFile(partial, JSON.stringify(document));
  await rename(partial, kept);
  return document;
}
