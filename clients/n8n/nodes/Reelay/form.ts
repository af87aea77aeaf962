import { type IDataObject, type IExecuteFunctions, NodeOperationError } from "n8n-workflow";
import type { Operation } from "./model.ts";

/** What is sent for a job. */
interface Form {
  readonly body: Buffer;
  readonly type: string;
}

/** What a field has where its file is elsewhere, or is written out. */
const WRITTEN = /^(?:https?:|data:)/i;

/**
 * A job as a form, with the item's files in it.
 * @param values of the operation's fields: a file is the name of a binary field, or an address
 * @param beside what a job has besides, such as whom it is for
 * @throws NodeOperationError where there is no such binary field
 */
export async function formOf(
  self: IExecuteFunctions,
  item: number,
  { id, input_schema }: Operation,
  values: IDataObject,
  beside: IDataObject,
): Promise<Form> {
  const form = new FormData();
  form.set("operation", id);
  for (const [name, value] of Object.entries(values)) {
    const schema = input_schema.properties[name];
    const isFile = schema?.["x-file"] !== undefined;
    for (const one of listOf(value, isFile && schema?.type === "array")) {
      if (isFile && !WRITTEN.test(textOf(one))) form.append(name, ...(await file(self, item, textOf(one))));
      else form.append(name, textOf(one));
    }
  }
  for (const [name, value] of Object.entries(beside))
    for (const one of listOf(value, false)) form.append(name, textOf(one));
  const packed = new Response(form);
  return {
    body: Buffer.from(await packed.arrayBuffer()),
    type: packed.headers.get("content-type") ?? "",
  };
}

/** A field that was left empty is left out. */
function listOf(value: unknown, isMany: boolean): readonly unknown[] {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return value as unknown[];
  // In data URIs there are commas.
  if (!isMany || typeof value !== "string" || /^data:/i.test(value)) return [value];
  return value
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function file(self: IExecuteFunctions, item: number, field: string): Promise<[Blob, string]> {
  const isThere = self.getInputData()[item]?.binary?.[field] !== undefined;
  if (!isThere)
    throw new NodeOperationError(self.getNode(), `The item has no binary field '${field}'`, {
      itemIndex: item,
      description: "A field for files takes the name of a binary field of the item, or an https address.",
    });
  const { mimeType, fileName = field } = self.helpers.assertBinaryData(item, field);
  const bytes = await self.helpers.getBinaryDataBuffer(item, field);
  return [new Blob([new Uint8Array(bytes)], { type: mimeType }), fileName];
}
