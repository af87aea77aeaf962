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
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Discord's official description of its HTTP API. */
export class Description {
  readonly #paths: OpenApi["paths"];
  readonly #definitions: Record<string, Schema>;
  readonly #bodies = new Map<string, z.ZodType | undefined>();

  constructor(openApi: OpenApi) {
    this.#paths = openApi.paths;
    this.#definitions = pointingTo("#/$defs/", openApi.components.schemas);
  }

  /**
   * Checks the JSON body of a call.
   * @param route method and path as the description writes them, "POST /channels/{channel_id}/messages"
   * @throws Refusal 50035 for a body that does not fit; Error when the description knows no such call
   */
  check(route: string, body: unknown): void {
    if (!this.#bodies.has(route)) this.#bodies.set(route, this.#bodyOf(route));
    const issues = this.#bodies.get(route)?.safeParse(withIntegers(body)).error?.issues;
    if (issues) throw invalidForm(issues);
  }

  #bodyOf(route: string): z.ZodType | undefined {
    const [method = "", path = ""] = route.split(" ");
    const operation = this.#paths[path]?.[method.toLowerCase()];
    const schema = operation?.requestBody?.content["application/json"]?.schema;
    if (!schema) return undefined;
    return z.fromJSONSchema({ ...pointingTo("#/$defs/", schema), $defs: this.#definitions });
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
