import { useState } from "preact/hooks";
import type { MediaRef } from "../../../../src/chat/values.ts";
import type { ProblemBody } from "../../wire.ts";
import { problemOf } from "./api.ts";
import { useChat } from "./context.ts";

/** The first picture among dropped or pasted files. Some systems give HEIC photos no type. */
export function pictureIn(data: DataTransfer | null): File | undefined {
  return [...(data?.files ?? [])].find(
    ({ type, name }) => type.startsWith("image/") || /\.hei[cf]$/i.test(name),
  );
}

/** Uploads pictures, one at a time; the newest counts. */
export function useUpload(onMedia: (media: MediaRef) => void) {
  const { api, session } = useChat();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ProblemBody>();

  async function upload(file: File) {
    setProblem(undefined);
    if (file.size > session.maxPhotoBytes) {
      const params = { bytes: file.size, max: session.maxPhotoBytes };
      return setProblem({ code: "media_too_large", params });
    }
    setBusy(true);
    try {
      onMedia(await api.upload(file));
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  }
  return { upload, busy, problem };
}
