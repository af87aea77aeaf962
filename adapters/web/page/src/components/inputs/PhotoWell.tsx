import { isMediaRef } from "../../../../../../src/seam/values.ts";
import { useChat } from "../../state/context.ts";
import type { ControlProps } from "../../form/control.ts";
import { usePictureUpload } from "../../state/upload.ts";
import { Fault } from "../base/Fault.tsx";
import { Well } from "./Well.tsx";

/** A place for one picture. */
export function PhotoWell({ id, field, value, describedBy, onValue }: ControlProps) {
  const { say } = useChat();
  const { upload, busy, problem } = usePictureUpload(onValue);
  return (
    <div class="well-place">
      <Well
        id={id}
        label={say(field.label)}
        describedBy={describedBy}
        media={isMediaRef(value) ? value : undefined}
        busy={busy}
        onFiles={(files) => void upload(files.slice(0, 1))}
        onClear={() => onValue(undefined)}
      />
      <Fault problem={problem} />
    </div>
  );
}
