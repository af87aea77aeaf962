import { createHash } from "node:crypto";
import type { Json } from "../../../src/common/json.ts";
import type { ReadRequest } from "./read-request.ts";

/**
 * What tells a request from every other one: the same for the same fields in any order and spacing, and for the same
 * files however they were sent.
 */
export function fingerprintOf({ fields, files }: Pick<ReadRequest, "fields" | "files">): string {
  const written = (value: Json): string => {
    if (isList(value)) return `[${value.map(written).join(",")}]`;
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${written(inner)}`).join(",")}}`;
    }
    const file = typeof value === "string" ? files.get(value) : undefined;
    // Without quotes it is nothing that a text could be.
    return file ? `file ${file.id}` : JSON.stringify(value);
  };
  return createHash("sha256").update(written(fields)).digest("hex");
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
