import { useEffect } from "preact/hooks";
import type { MediaRef } from "../../../../../../src/seam/values.ts";
import { useChat } from "../../state/context.ts";
import { usePictureUpload } from "../../state/upload.ts";
import sample from "../../../sample/sample.jpg";

/** Takes the built-in picture, for whoever has none at hand. */
export function SampleButton({ onMedia }: { onMedia: (media: MediaRef) => void }) {
  const { report, say } = useChat();
  const { upload, busy, problem } = usePictureUpload(onMedia);
  useEffect(() => {
    if (problem) report(problem);
  }, [problem]);
  async function take() {
    const picture = await fetch(sample).then(
      (answer) => answer.blob(),
      () => undefined,
    );
    if (!picture) return report({ code: "unreachable", params: {} });
    await upload([new File([picture], "sample.jpg", { type: "image/jpeg" })]);
  }
  return (
    <button type="button" class="link" disabled={busy} onClick={() => void take()}>
      {say(busy ? "page.uploading" : "page.sample")}
    </button>
  );
}
