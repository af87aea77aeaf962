import { gzipSync } from "node:zlib";
import type { FileView } from "../../src/chat/views.ts";
import type { MessageBody } from "./api.ts";

/**
 * The file of a view as a message carries it: packed where Discord would not take it as it is.
 * @param fileLimit bytes that are taken
 */
export function enclosedFile(
  { file: { name, type, content } }: FileView,
  fileLimit: number,
): Pick<MessageBody, "files" | "attachments"> {
  const data = Buffer.from(content);
  const file =
    data.length <= fileLimit
      ? { name, contentType: type, data }
      : { name: `${name}.gz`, contentType: "application/gzip", data: gzipSync(data) };
  return { files: [file], attachments: [{ id: "0", filename: file.name }] };
}
