import { useState } from "preact/hooks";
import type { FieldSpec } from "../../../../../src/chat/fields.ts";
import type { MediaRef } from "../../../../../src/chat/values.ts";
import { mediaUrl } from "../api.ts";
import { useChat } from "../context.ts";
import { problemText } from "../sentences.ts";
import { pictureIn, useUpload } from "../upload.ts";
import { Icon } from "./Icon.tsx";

/** A place for one picture: press to pick, drop, or replace; shows the picture once it is there. */
export function PhotoWell(props: {
  id: string;
  field: FieldSpec;
  value: MediaRef | undefined;
  describedBy: string | undefined;
  onValue: (value: MediaRef | undefined) => void;
}) {
  const { say } = useChat();
  const { id, field, value } = props;
  const { upload, busy, problem } = useUpload(props.onValue);
  return (
    <div class="well-place">
      <div
        class={value ? "well filled" : "well"}
        aria-busy={busy}
        onDrop={(event) => {
          const picture = pictureIn(event.dataTransfer);
          if (!picture) return;
          // The page's own drop would otherwise take it as well.
          event.preventDefault();
          event.stopPropagation();
          void upload(picture);
        }}
      >
        <input
          id={id}
          type="file"
          accept="image/*,.heic,.heif"
          aria-label={say(field.label)}
          aria-describedby={props.describedBy}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void upload(file);
            currentTarget.value = "";
          }}
        />
        {value ? <Picture media={value} /> : <Icon name="photo" />}
        {!value && <span class="well-name">{say(field.label)}</span>}
        {busy && <span class="spinner" role="status" aria-label={say("page.uploading")} />}
        {value && (
          <button
            type="button"
            class="icon-button well-clear"
            aria-label={say("page.remove", { name: say(field.label) })}
            onClick={() => props.onValue(undefined)}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      {problem && (
        <p class="fault" role="alert">
          {problemText(say, problem)}
        </p>
      )}
    </div>
  );
}

/** A picture, or its name where the browser cannot show its kind (HEIC). */
export function Picture({ media }: { media: MediaRef }) {
  const [broken, setBroken] = useState<string>();
  if (broken === media.id) return <span class="well-name">{media.name ?? media.id.slice(0, 8)}</span>;
  return <img src={mediaUrl(media.id)} alt={media.name ?? ""} onError={() => setBroken(media.id)} />;
}
