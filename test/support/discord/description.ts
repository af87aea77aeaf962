import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { invalidForm } from "./form-error.ts";

interface Schema {
  readonly [keyword: string]: unknown;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | undefined>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly requestBody?: Payload;
  readonly responses: Readonly<Record<string, Payload | undefined>>;
}

interface Payload {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** Discord's official description of its HTTP API. */
export class Description {
  readonly #paths: OpenApi["paths"];
  readonly #definitions: Record<string, Schema>;
  readonly #schemas = new Map<string, z.ZodType | undefined>();

  constructor(openApi: OpenApi) {
    this.#paths = openApi.paths;
    this.#definitions = pointingTo("#/$defs/", openApi.components.schemas);
  }

  /**
   * Checks the JSON body of a call; what the description does not know fits.
   * @param route method and path as the description writes them, "POST /channels/{channel_id}/messages"
   * @throws Refusal 50035 for a body that does not fit
   */
  checkBody(route: string, body: unknown): void {
    const schema = this.#schema(`body of ${route}`, this.#operation(route)?.requestBody);
    const issues = schema?.safeParse(withIntegers(body)).error?.issues;
    if (issues) throw invalidForm(issues);
  }

  /**
   * Checks what the fake itself answers to a call.
   * @throws Error for an answer that does not fit
   */
  checkAnswer(route: string, answer: unknown): void {
    const schema = this.#schema(`answer to ${route}`, this.#operation(route)?.responses["200"]);
    const issues = schema?.safeParse(answer).error?.issues;
    if (issues) throw new Error(`${route} must not be answered so: ${JSON.stringify(invalidForm(issues))}`);
  }

  #operation(route: string): Operation | undefined {
    const [method = "", path = ""] = route.split(" ");
    return this.#paths[path]?.[method.toLowerCase()];
  }

  #schema(name: string, payload: Payload | undefined): z.ZodType | undefined {
    const schema = payload?.content?.["application/json"]?.schema;
    if (schema && !this.#schemas.has(name)) {
      const converted = z.fromJSONSchema({ ...pointingTo("#/$defs/", schema), $defs: this.#definitions });
      this.#schemas.set(name, converted);
    }
    return this.#schemas.get(name);
  }
}

/** Permissions are integers in the description, but digits in a text in Discord's pages and in every client. */
const withIntegers = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === "default_member_permissions" && typeof value === "string" ? Number(value) : value,
  );

/** Lets references point to where JSON Schema keeps definitions. */
const pointingTo = <T>(place: string, schema: T): T =>
  JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", place)) as T;

let described: Promise<Description | undefined> | undefined;

/** The description from the folder that `REELAY_TEST_SPECS` names; else nothing, and a sentence that says so. */
export function loadDescription(): Promise<Description | undefined> {
  described ??= read(process.env["REELAY_TEST_SPECS"]);
  return described;
}

async function read(folder: string | undefined): Promise<Description | undefined> {
  if (folder) {
    return new Description(
      JSON.parse(await readFile(join(folder, "discord-openapi.json"), "utf8")) as OpenApi,
    );
  }
  process.stdout.write(
    "REELAY_TEST_SPECS is not set: the check of Discord calls against the official description is skipped.\n",
  );
  return undefined;
}
