import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { Json } from "../../../src/common/json.ts";
import { type WrongField, WrongFields } from "../access/problem.ts";
import type { ReadRequest } from "../body/read-request.ts";
import { type Endpoint, operationAt, pictureField } from "./endpoints.ts";
import { unfit, unknown } from "./refusal.ts";
import { sizeInput } from "./size.ts";

/** Fields of OpenAI's that say nothing new as long as they say this. */
const AS_IT_IS: ReadonlyMap<string, readonly (string | number | boolean)[]> = new Map([
  ["n", [1, "1"]],
  ["quality", ["auto"]],
  ["background", ["auto"]],
  ["moderation", ["auto"]],
  ["stream", [false, "false"]],
]);

/** How a picture comes back. */
export type ImageFormat = "b64_json" | "url";

/** What a request of OpenAI's asks for, as the gateway takes it. */
export interface Translation {
  readonly fields: ReadRequest["fields"];
  /** What the request called the operation's fields. */
  readonly names: ReadonlyMap<string, string>;
  readonly format: ImageFormat;
  /** The field that a mask of OpenAI's is for: what is transparent in it is meant. */
  readonly mask: string | undefined;
}

/**
 * Translates a request: `model` is the operation, OpenAI's fields become the operation's, and all others must be fields that
 * the operation has. Nothing is left out, and nothing is taken for something like it.
 * @throws ReelayError `unknown_operation`, `operation_off`; WrongFields naming everything that cannot be translated
 */
export function translate(
  endpoint: Endpoint,
  given: ReadRequest["fields"],
  found: { operations: readonly CommandSpec[]; find: (name: string) => CommandSpec },
): Translation {
  // OpenAI's null is what was left out.
  const left = new Map(Object.entries(given).filter(([, value]) => value !== null));
  const wrong: WrongField[] = [];
  const input = new Map<string, Json>();
  const names = new Map<string, string>();

  function take(name: string): Json | undefined {
    const value = left.get(name);
    left.delete(name);
    return value;
  }
  function put(field: string, value: Json, name: string): void {
    if (input.has(field)) wrong.push(unfit(name, `${names.get(field)} or ${name}`));
    input.set(field, value);
    names.set(field, name);
  }

  const model = take("model");
  if (model !== undefined && typeof model !== "string") throw new WrongFields([unfit("model", "a name")]);
  const spec = operationAt(endpoint, model, (name) => left.has(name), found);
  const { fields } = spec;
  const has = (name: string) => fields.some((field) => field.name === name);

  for (const [name, same] of AS_IT_IS) {
    const value = take(name);
    if (value !== undefined && !same.some((one) => one === value)) wrong.push(unfit(name, String(same[0])));
  }
  const format = endpoint === "videos" ? "b64_json" : (take("response_format") ?? "b64_json");
  if (format !== "b64_json" && format !== "url") wrong.push(unfit("response_format", "b64_json, url"));

  const size = take("size");
  if (typeof size === "string" && size !== "auto") {
    const said = sizeInput(fields, size);
    if (typeof said === "string") wrong.push(unfit("size", said));
    else for (const [field, value] of Object.entries(said)) put(field, value, "size");
  } else if (size !== undefined && size !== "auto") wrong.push(unfit("size", "auto, 1024x1024"));

  const seconds = endpoint === "videos" ? take("seconds") : undefined;
  if (seconds !== undefined && has("duration"))
    put(
      "duration",
      typeof seconds === "string" && /^\d+$/.test(seconds) ? Number(seconds) : seconds,
      "seconds",
    );
  else if (seconds !== undefined) wrong.push(unknown("seconds"));

  for (const name of PICTURES[endpoint]) {
    const value = take(name);
    if (value === undefined) continue;
    const files = [value].flat().map(fileIn);
    const field = pictureField(spec);
    if (!field) wrong.push(unknown(name));
    else if (!files.every((file) => file !== undefined)) wrong.push(unfit(name, "a file, or {image_url}"));
    else put(field.name, files.length === 1 ? (files[0] ?? null) : files, name);
  }

  const mask = fields.find(({ control }) => control === "mask");
  const marked = endpoint === "edits" ? take("mask") : undefined;
  if (marked !== undefined) {
    const file = fileIn(marked);
    if (!mask) wrong.push(unknown("mask"));
    else if (file === undefined) wrong.push(unfit("mask", "a file, or {image_url}"));
    else put(mask.name, file, "mask");
  }

  const beside = new Map<string, Json>();
  const [user, identifier] = [take("user"), take("safety_identifier")];
  const username = identifier || user;
  if (username !== undefined && username !== "") {
    beside.set("in_app_username", username);
    names.set("in_app_username", identifier ? "safety_identifier" : "user");
  }
  const agreed = take("agreed");
  if (agreed !== undefined) beside.set("agreed", typeof agreed === "string" ? agreed.split(",") : agreed);

  for (const [name, value] of left)
    if (has(name)) put(name, value, name);
    else wrong.push(unknown(name));
  if (wrong.length > 0) throw new WrongFields(wrong);
  return {
    fields: { operation: spec.name, input: Object.fromEntries(input), ...Object.fromEntries(beside) },
    names,
    format: format === "url" ? "url" : "b64_json",
    mask: marked === undefined ? undefined : mask?.name,
  };
}

/** Where OpenAI's programs put a picture: in a form, and in JSON. */
const PICTURES: Readonly<Record<Endpoint, readonly string[]>> = {
  generations: [],
  edits: ["image", "images"],
  videos: ["input_reference"],
};

/** A file, however OpenAI's programs send one. They may also name one that they sent before: there are none here. */
function fileIn(value: Json): string | undefined {
  if (typeof value === "string") return value;
  const isObject = typeof value === "object" && value !== null && "image_url" in value;
  const url = isObject && Object.keys(value).length === 1 ? value["image_url"] : undefined;
  return typeof url === "string" ? url : undefined;
}
