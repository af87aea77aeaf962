import { useEffect, useRef, useState } from "preact/hooks";
import { isMediaRef } from "../../../../../../src/seam/values.ts";
import { useChat } from "../../state/context.ts";
import type { ControlProps } from "../../form/control.ts";
import { markingOf } from "../../state/masking.ts";
import { Icon } from "../base/Icon.tsx";
import { MarkedPicture } from "./MarkedPicture.tsx";
import { MaskDialog } from "./MaskDialog.tsx";
import { WellClear } from "./Well.tsx";

/** A place for the marked part of a picture: press to paint, shows the picture with that part tinted. */
export function MaskWell({ id, field, value, values, describedBy, onValue }: ControlProps) {
  const { say } = useChat();
  const [open, setOpen] = useState(false);
  const under = values[field.over ?? ""];
  const picture = isMediaRef(under) ? under : undefined;
  const mask = isMediaRef(value) ? value : undefined;
  useLoss(picture?.id, mask?.id);
  const label = say(field.label);
  const unfinished = picture && markingOf(picture.id, mask?.id)?.unfinished;
  const state = picture ? (unfinished ? "unfinished" : mask ? "again" : "begin") : "early";
  return (
    <div class="well-place">
      <div class={mask ? "well filled" : "well"}>
        {picture && <MarkedPicture picture={picture} mask={mask} />}
        <button
          id={id}
          type="button"
          class="well-open"
          aria-label={`${label}: ${say(`page.mask.${state}`)}`}
          aria-describedby={describedBy}
          aria-haspopup="dialog"
          disabled={!picture}
          onClick={() => setOpen(true)}
        >
          {state !== "again" && (
            <>
              <Icon name="brush" />
              <span class="well-name">{say(`page.mask.${state}`)}</span>
            </>
          )}
        </button>
        {mask && <WellClear label={label} onClear={() => onValue(undefined)} />}
      </div>
      {open && picture && (
        <MaskDialog
          title={label}
          picture={picture}
          mask={mask}
          onMask={onValue}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

/** Says so when a mask goes because another picture came. */
function useLoss(picture: string | undefined, mask: string | undefined) {
  const { report } = useChat();
  const before = useRef({ picture, mask });
  useEffect(() => {
    const exchanged = picture !== undefined && picture !== before.current.picture;
    if (before.current.mask !== undefined && exchanged && mask === undefined)
      report({ code: "mask_lost", params: {} });
    before.current = { picture, mask };
  }, [picture, mask]);
}
