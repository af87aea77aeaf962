import { createReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "../../../src/common/json.ts";
import type { HeldFiles } from "../../../src/infrastructure/media/files/held-files.ts";
import { IncomingFiles } from "../body/incoming-files.ts";
import { type WrongField, WrongFields } from "../access/problem.ts";
import type { ReadInput } from "../jobs/submissions.ts";
import type { Arguments } from "./session/tool.ts";

const LOCAL = /^file:\/\/\//i;

/**
 * Reads an input of whoever sits at this machine: `file:///…` is a file of theirs.
 * @returns what throws WrongFields for files that cannot be read or are too large
 */
export function localReader(held: HeldFiles, { input, ...beside }: Arguments): ReadInput {
  return async (hold) => {
    const files = new IncomingFiles(held, hold);
    const wrong: WrongField[] = [];

    async function stored(field: string, given: Json): Promise<Json> {
      if (Array.isArray(given)) return Promise.all(given.map((one: Json) => stored(field, one)));
      if (typeof given !== "string" || !LOCAL.test(given)) return given;
      const refused = await store(files, given);
      if (typeof refused === "string") return refused;
      wrong.push({ field, ...refused, params: { ...refused.params, field } });
      return given;
    }

    const fields: [string, Json][] = [];
    for (const [name, given] of Object.entries(input as Arguments))
      fields.push([name, await stored(`input.${name}`, given)]);
    if (wrong.length > 0) throw new WrongFields(wrong);
    return { fields: { ...beside, input: Object.fromEntries(fields) }, files: files.stored, form: false };
  };
}

/** Stores a file of this machine. Returns what stands for it, or why it cannot be taken. */
async function store(files: IncomingFiles, url: string): Promise<string | Omit<WrongField, "field">> {
  const path = pathOf(url);
  if (path === undefined || !(await isReadable(path)))
    return { code: "field_invalid", params: { wanted: "a file that can be read here" } };
  const placeholder = files.next();
  await files.store(placeholder, createReadStream(path), basename(path));
  return files.refused.get(placeholder) ?? placeholder;
}

async function isReadable(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Undefined for an address that is no path here. */
function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
