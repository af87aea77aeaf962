import type { Json } from "../../../src/common/json.ts";
import type { MediaRef } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { HeldFiles, Hold } from "../../../src/infrastructure/media/files/held-files.ts";
import { WrongFields } from "../access/problem.ts";
import { arriving, type ArrivalBounds } from "./arriving.ts";
import { formFields } from "./form-fields.ts";
import { IncomingFiles } from "./incoming-files.ts";
import { type FormParts, readForm } from "./read-form.ts";
import { type Misplaced, readJson } from "./read-json.ts";

/** The types of bodies that are read. */
export const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data";

/** A request that may bring files, read. */
export interface ReadRequest {
  readonly fields: { readonly [name: string]: Json };
  /** The files that were stored, by the placeholder that stands for each in the fields. */
  readonly files: ReadonlyMap<string, MediaRef>;
  /** Those of them that were strings of base64 and nothing else: they may have been meant as text. */
  readonly bare?: ReadonlySet<string>;
  /** Whether it came as a form: every value of `input` is text. */
  readonly form: boolean;
}

/**
 * Reads a request that may bring files, as JSON or as a form. They are stored while it is read; no more of it is in
 * memory than its texts. Where it fails, none of its files is left.
 * @param hold whoever needs the files; nobody else may hold any under that name
 * @param understood what the parts of a form are in JSON
 * @param misplaced knows where no file is taken
 * @throws ReelayError `body_too_large`, `body_text_too_large`, `body_too_deep`, `body_too_slow`, `body_type`,
 * `body_type_missing`, `body_unreadable`, `too_many_files`, `too_many_parts`; WrongFields for files that are none or too
 * large, and for JSON that is no object
 */
export async function readRequest(
  request: Pick<Request, "headers" | "body">,
  files: HeldFiles,
  hold: Hold,
  bounds?: ArrivalBounds,
  understood: (parts: FormParts) => ReadRequest["fields"] = formFields,
  misplaced?: Misplaced,
): Promise<ReadRequest> {
  const incoming = new IncomingFiles(files, hold);
  const source = arriving(request, bounds);
  const { stored, bare } = incoming;
  try {
    if (readableType(request.headers, [JSON_TYPE, FORM_TYPE]) === JSON_TYPE)
      return {
        fields: objectOf(await readJson(source, incoming, misplaced)),
        files: stored,
        bare,
        form: false,
      };
    const type = request.headers.get("content-type") ?? "";
    const fields = understood(await readForm(source, type, incoming));
    return { fields, files: stored, bare, form: true };
  } catch (error) {
    await files.release(hold.owner);
    throw error;
  }
}

/** What is a content type, and not a key in the wrong header: only that is said again. */
const TYPE = /^(?:application|audio|font|image|message|model|multipart|text|video)\/[a-z][a-z0-9.+-]{0,60}$/;
/** The same of how letters are written, and of how a body is packed. */
const CHARSET =
  /^(?:utf|ucs|unicode|iso|latin|l\d|windows|us|ascii|ansi|mac|ibm|shift|sjis|euc|big5|gb|koi8|cp)[\w-]{0,12}$/;
const CODING = /^(?:(?:gzip|x-gzip|compress|deflate|br|zstd)(?:, ?(?!$)|$)){1,4}$/;

/**
 * The type of a body that is read, without its parameters.
 * @param read all that are
 * @throws ReelayError `body_type_missing`; `body_type` for another one, for one that is packed, and for letters that are not in UTF-8: they would be taken
 * for others
 */
export function readableType(headers: Pick<Headers, "get">, read: readonly string[]): string {
  const refusal = (found: string, isSaid: RegExp, before = "") =>
    new ReelayError("body_type", {
      found: before + (isSaid.test(found) ? found : "…"),
      wanted: read.join(", "),
    });
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const mime = type.trim();
  if (!mime) throw new ReelayError("body_type_missing", { wanted: read.join(", ") });
  if (!read.includes(mime)) throw refusal(mime, TYPE);
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity") throw refusal(coding, CODING, CODING.test(coding) ? "" : `${mime}, `);
  const charset = parameters.map((one) => /^\s*charset="?([^\s"]+)/.exec(one)?.[1]).find(Boolean) ?? "utf-8";
  if (!/^(?:utf-?8|us-ascii)$/.test(charset)) throw refusal(charset, CHARSET, `${mime}; charset=`);
  return mime;
}

function objectOf(value: Json): { readonly [name: string]: Json } {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new WrongFields([
      { field: "body", code: "field_invalid", params: { field: "body", wanted: "wanted.object" } },
    ]);
  return objectIn(value);
}

/** The members of an object; of everything else, none. */
export function objectIn(value: Json | undefined): { readonly [name: string]: Json } {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  // What is neither a list nor null is an object.
  return isObject ? (value as { readonly [name: string]: Json }) : {};
}
