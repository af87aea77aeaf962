import { useState } from "preact/hooks";
import type { StoredMedia } from "../../../../wire.ts";
import { mediaUrl } from "../../state/api.ts";
import { useChat } from "../../state/context.ts";
import { isTall, placeOf } from "../../view/place.ts";

/**
 * A finished video, with the controls that also turn on its sound. One that was there before is loaded when it is played;
 * until then its poster stands for it.
 * @param name tells it from others
 * @param plays starts by itself, without sound, unless the person's system asks for less motion
 */
export function ResultVideo({ file, name, plays }: { file: StoredMedia; name: string; plays: boolean }) {
  const { say } = useChat();
  const { size, poster } = file;
  const [tall, setTall] = useState(isTall(size));
  const moves = plays && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  return (
    <video
      class={tall ? "media tall" : "media"}
      {...placeOf(size)}
      src={mediaUrl(file.id)}
      poster={poster && mediaUrl(poster)}
      onLoadedMetadata={({ currentTarget: { videoWidth: width, videoHeight: height } }) =>
        setTall(isTall({ width, height }))
      }
      aria-label={say("page.result.video", { name })}
      controls
      playsInline
      loop
      preload={poster && size && !plays ? "none" : "metadata"}
      autoplay={moves}
      muted={moves}
    />
  );
}
