import { useState } from "preact/hooks";
import type { MediaRef } from "../../../../../../src/seam/values.ts";
import { mediaUrl } from "../../state/api.ts";
import { useChat } from "../../state/context.ts";
import { isPictureFile } from "../../state/upload.ts";
import { Icon } from "../base/Icon.tsx";

/** A place for a picture: press to pick, drop, or replace; shows the picture once it is there. */
export function Well(props: {
  id?: string | undefined;
  label: string;
  describedBy?: string | undefined;
  media?: MediaRef | undefined;
  busy: boolean;
  /** Small print under the label. */
  note?: string;
  /** Whether it takes several at once. */
  multiple?: boolean;
  onFiles: (files: readonly File[]) => void;
  onClear?: () => void;
}) {
  const { say } = useChat();
  const { label, media, busy, multiple = false, onClear } = props;
  return (
    <div
      class={media ? "well filled" : "well"}
      aria-busy={busy}
      onDrop={(event) => {
        const pictures = [...(event.dataTransfer?.files ?? [])].filter(isPictureFile);
        // Several are for the page, which knows of more places.
        if (pictures.length === 0 || (pictures.length > 1 && !multiple)) return;
        event.preventDefault();
        event.stopPropagation();
        props.onFiles(pictures);
      }}
    >
      <input
        id={props.id}
        type="file"
        accept="image/*,.heic,.heif"
        multiple={multiple}
        aria-label={label}
        aria-describedby={props.describedBy}
        onChange={({ currentTarget }) => {
          props.onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
      {media ? <Picture media={media} /> : <Icon name="photo" />}
      <span class="well-name">{label}</span>
      {props.note && <small aria-hidden="true">{props.note}</small>}
      {busy && <span class="spinner" role="status" aria-label={say("page.uploading")} />}
      {media && onClear && <WellClear label={label} onClear={onClear} />}
    </div>
  );
}

/** The cross on a well. */
export function WellClear({ label, onClear }: { label: string; onClear: () => void }) {
  const { say } = useChat();
  return (
    <button
      type="button"
      class="icon-button well-button well-clear"
      aria-label={say("page.remove", { name: label })}
      onClick={onClear}
    >
      <Icon name="close" />
    </button>
  );
}

/** A picture, or its name where the browser cannot show its kind (HEIC). */
export function Picture({ media }: { media: MediaRef }) {
  const [broken, setBroken] = useState<string>();
  if (broken === media.id) return <span class="well-name">{media.name ?? media.id.slice(0, 8)}</span>;
  return <img src={mediaUrl(media.id)} alt={media.name ?? ""} onError={() => setBroken(media.id)} />;
}
