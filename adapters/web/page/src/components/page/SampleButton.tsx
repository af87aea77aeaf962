import type { MediaRef } from "../../../../../../src/seam/values.ts";
import { useChat } from "../../state/context.ts";
import { usePictureUpload } from "../../state/upload.ts";
import sample from "../../../sample/sample.jpg";

/** Takes the built-in picture, for whoever has none at hand. */
export function SampleButton({ onMedia }: { onMedia: (media: MediaRef) => void }) {
  const { attempt, say } = useChat();
  const { upload, busy } = usePictureUpload(onMedia);
  const take = async () => {
    const picture = await (await fetch(sample)).blob();
    await upload([new File([picture], "sample.jpg", { type: "image/jpeg" })]);
  };
  return (
    <button type="button" class="link" disabled={busy} onClick={() => void attempt(take)}>
      {say(busy ? "page.uploading" : "page.sample")}
    </button>
  );
}
