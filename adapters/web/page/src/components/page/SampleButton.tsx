import { useEffect } from "preact/hooks";
import type { MediaRef } from "../../../../../../src/seam/values.ts";
import { useChat } from "../../state/context.ts";
import { fileAt, usePictureUpload } from "../../state/upload.ts";
import sample from "../../../sample/sample.jpg";

/** Takes the built-in picture, for whoever has none at hand. */
export function SampleButton({ onMedia }: { onMedia: (media: MediaRef) => void }) {
  const { attempt, report, say } = useChat();
  const { upload, busy, problem } = usePictureUpload(onMedia);
  useEffect(() => {
    if (problem) report(problem);
  }, [problem]);
  const take = () => attempt(async () => upload([await fileAt(sample, "sample.jpg")]));
  return (
    <button type="button" class="link" disabled={busy} onClick={() => void take()}>
      {say(busy ? "page.uploading" : "page.sample")}
    </button>
  );
}
