import { useState } from "preact/hooks";
import type { MediaRef } from "../../../../../src/seam/values.ts";
import type { PageProblem } from "../../../wire.ts";
import { problemOf } from "./api.ts";
import { useChat } from "./context.ts";

/** Whether a file is a picture. Some systems give HEIC photos no type. */
export function isPictureFile({ type, name }: File): boolean {
  return type.startsWith("image/") || /\.hei[cf]$/i.test(name);
}

/** Why a file cannot be used, found out before it is uploaded. */
type Check = (file: File) => Promise<PageProblem | undefined>;

/** Uploads files one after the other, so that their order stays, until one cannot be used. */
export function useUpload(check: Check, onMedia: (media: MediaRef) => void) {
  const { api } = useChat();
  const [running, setRunning] = useState(0);
  const [problem, setProblem] = useState<PageProblem>();

  async function upload(files: readonly File[]) {
    setProblem(undefined);
    setRunning((before) => before + 1);
    try {
      for (const file of files) {
        const fault = await check(file);
        if (fault) return setProblem(fault);
        onMedia(await api.upload(file));
      }
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setRunning((before) => before - 1);
    }
  }
  return { upload, busy: running > 0, problem };
}

/** Uploads pictures. */
export function usePictureUpload(onMedia: (media: MediaRef) => void) {
  const max = useChat().session.maxPhotoBytes;
  return useUpload(
    async ({ size }) => (size > max ? { code: "media_too_large", params: { bytes: size, max } } : undefined),
    onMedia,
  );
}
