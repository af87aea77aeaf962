import { useState } from "preact/hooks";
import type { MediaRef } from "../../../../../../src/seam/values.ts";
import type { PageProblem } from "../../../../wire.ts";
import { mediaUrl } from "../../state/api.ts";
import { useChat } from "../../state/context.ts";
import { finish, useMarking } from "../../state/masking.ts";
import { maskOf } from "../../form/paint.ts";
import { usePictureUpload } from "../../state/upload.ts";
import { Dialog } from "../base/Dialog.tsx";
import { Fault } from "../base/Fault.tsx";
import { MaskCanvas } from "./MaskCanvas.tsx";
import { MaskTools } from "./MaskTools.tsx";

/** How thick the brush is at first, in hundredths of the picture's shorter side. */
const BRUSH = 10;

/** Painting over a picture. What was painted is kept however the dialog goes; only its button makes a mask of it. */
export function MaskDialog(props: {
  title: string;
  picture: MediaRef;
  mask: MediaRef | undefined;
  onMask: (mask: MediaRef) => void;
  onClose: () => void;
}) {
  const { say, attempt } = useChat();
  const { picture } = props;
  const marking = useMarking(picture, props.mask);
  const { size, share, marks } = marking;
  const [erases, setErases] = useState(false);
  const [thickness, setThickness] = useState(BRUSH);
  const [unreadable, setUnreadable] = useState(false);
  const [refused, setRefused] = useState<PageProblem>();
  const { upload, busy, problem } = usePictureUpload((mask) => {
    finish(picture.id, marks, mask.id);
    props.onMask(mask);
    props.onClose();
  });
  const brush = { erases, size: size ? (Math.min(size.width, size.height) * thickness) / 100 : 0 };

  async function addImage(file: File) {
    try {
      setRefused(undefined);
      await marking.addImage(file);
    } catch {
      setRefused({ code: "media_unreadable", params: {} });
    }
  }

  async function confirm() {
    if (size && share > 0 && !busy) await attempt(async () => upload([await maskOf(size, marks)]));
  }

  return (
    <Dialog kind="canvas" title={props.title} onClose={props.onClose}>
      {unreadable ? (
        <Fault problem={{ code: "unshowable", params: {} }} />
      ) : (
        <div class="masking" inert={busy}>
          <MaskCanvas
            url={mediaUrl(picture.id)}
            canvas={marking.canvas}
            size={size}
            brush={brush}
            onSize={marking.setSize}
            onUnreadable={() => setUnreadable(true)}
            onMark={marking.add}
          />
          <MaskTools
            marks={marks}
            erases={erases}
            thickness={thickness}
            onErases={setErases}
            onThickness={setThickness}
            onMark={marking.add}
            onUndo={marking.undo}
            onImage={(file) => void addImage(file)}
          />
        </div>
      )}
      <footer class="dialog-foot">
        <Fault problem={refused ?? problem} />
        <p class="caption" role="status">
          {say(share > 0 ? "page.mask.share" : "page.mask.none", {
            percent: Math.max(1, Math.round(100 * share)),
          })}
        </p>
        <button
          type="button"
          class="button primary"
          aria-disabled={share === 0 || busy}
          onClick={() => void confirm()}
        >
          {busy && <span class="spinner" />}
          {say("page.mask.done")}
        </button>
      </footer>
    </Dialog>
  );
}
