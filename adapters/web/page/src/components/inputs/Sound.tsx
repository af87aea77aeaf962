import type { MediaRef } from "../../../../../../src/seam/values.ts";
import { mediaUrl } from "../../state/api.ts";
import { useChat } from "../../state/context.ts";
import { sizeText } from "../../view/sentences.ts";
import { Icon } from "../base/Icon.tsx";

/** One sound: its name, how large it is, a player, and a cross where it may be taken out. */
export function Sound(props: {
  media: MediaRef;
  onSeconds?: (seconds: number) => void;
  onRemove?: () => void;
}) {
  const { say, locale } = useChat();
  const { media, onSeconds, onRemove } = props;
  const name = media.name ?? media.id.slice(0, 8);
  return (
    <li class="sound">
      <span class="sound-name">{name}</span>
      {media.bytes !== undefined && <small>{sizeText(locale, media.bytes)}</small>}
      <audio
        controls
        preload="metadata"
        src={mediaUrl(media.id)}
        aria-label={name}
        onLoadedMetadata={({ currentTarget }) => onSeconds?.(currentTarget.duration)}
      />
      {onRemove && (
        <button
          type="button"
          class="icon-button"
          aria-label={say("page.remove", { name })}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}
