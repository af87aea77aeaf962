import { useState } from "preact/hooks";
import type { StoredMedia } from "../../../../wire.ts";
import { mediaUrl } from "../../state/api.ts";
import { useChat } from "../../state/context.ts";
import { isTall, placeOf } from "../../view/place.ts";
import { Dialog } from "../base/Dialog.tsx";
import { Download } from "../base/Download.tsx";

/** A finished picture; a press shows it as large as the window, another one in its own size. @param name tells it from others */
export function ResultPicture({ file, name }: { file: StoredMedia; name: string }) {
  const { say } = useChat();
  const [open, setOpen] = useState(false);
  const [whole, setWhole] = useState(true);
  const { size } = file;
  const [tall, setTall] = useState(isTall(size));
  const picture = { src: mediaUrl(file.id), alt: say("page.result.image", { name }) };
  return (
    <>
      <button
        type="button"
        class="media-open"
        aria-haspopup="dialog"
        title={say("page.result.open")}
        onClick={() => setOpen(true)}
      >
        <img
          {...picture}
          {...placeOf(size)}
          class={tall ? "media tall" : "media"}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setTall(isTall({ width, height }))
          }
        />
      </button>
      {open && (
        <Dialog kind="lightbox" title={file.name} onClose={() => setOpen(false)}>
          <button
            type="button"
            class={whole ? "stage" : "stage zoomed"}
            aria-pressed={!whole}
            aria-label={say("page.result.zoom")}
            onClick={() => setWhole(!whole)}
          >
            <img {...picture} class="media" />
          </button>
          <footer class="dialog-foot">
            <Download file={file} />
          </footer>
        </Dialog>
      )}
    </>
  );
}
