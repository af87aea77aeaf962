import type { FileKind, StoredFile } from "./media.ts";

/** How a person sends a file. */
export type SentKind = FileKind;

/** A picture's type, by how it begins. */
export const pictureType = (bytes: Buffer): string =>
  bytes.toString("hex", 0, 4) === "89504e47" ? "image/png" : "image/jpeg";

/** A file as webhooks tell of it. */
export function mediaObject(
  kind: SentKind,
  { id, mimeType, sha256, fileName, bytes }: StoredFile,
  { caption, isVoice }: { readonly caption: string; readonly isVoice: boolean },
): object {
  return {
    mime_type: mimeType,
    sha256: sha256.toString("base64"),
    id,
    ...(caption !== "" && { caption }),
    ...(kind === "document" && { filename: fileName ?? "file" }),
    ...(kind === "audio" && { voice: isVoice }),
    ...(kind === "sticker" && { animated: bytes.subarray(0, 64).includes("ANIM") }),
  };
}
