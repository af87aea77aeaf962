import { useState } from "preact/hooks";
import type { MediaRef } from "../../../../../src/seam/values.ts";
import type { PageProblem } from "../../../wire.ts";
import { AskRefused, problemOf } from "./api.ts";
import { useChat } from "./context.ts";
import { settle, useProblem } from "./problem.ts";

/** Whether a file is a picture. Some systems know few types: what it is called says so, too. */
export function isPictureFile({ type, name }: File): boolean {
  const isUntold = type === "" || type === "application/octet-stream";
  return type.startsWith("image/") || (isUntold && /\.(?:jpe?g|jfif|png|webp|gif|avif|hei[cf])$/i.test(name));
}

/** A picture of Reelay's own as a file. Throws as an upload does. */
export async function fileAt(address: string, name = ""): Promise<File> {
  try {
    const picture = await (await fetch(address)).blob();
    return new File([picture], name, { type: picture.type });
  } catch {
    throw new AskRefused({ code: "upload_lost", params: {} });
  }
}

/** Why a file cannot be used, found out before it is uploaded. */
type Check = (file: File) => Promise<PageProblem | undefined>;

/** Uploads files one after the other, so that their order stays, until one cannot be used. */
export function useUpload(check: Check, onMedia: (media: MediaRef) => void) {
  const { api } = useChat();
  const [running, setRunning] = useState(0);
  const [problem, setProblem] = useProblem();

  async function upload(files: readonly File[]) {
    setProblem(undefined);
    setRunning((before) => before + 1);
    try {
      for (const file of files) {
        const fault = await check(file);
        if (fault) return setProblem(fault);
        onMedia(await api.upload(file));
        settle("upload_lost");
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
