import { useState } from "preact/hooks";
import type { StoredMedia, StoredResult } from "../../../wire.ts";
import { mediaUrl } from "../api.ts";
import { useChat } from "../context.ts";
import { Actions } from "./Actions.tsx";
import { Icon } from "./Icon.tsx";

/** A finished job: what it made, what it cost, what can be done next. */
export function ResultCard({ view, fresh }: { view: StoredResult; fresh: boolean }) {
  const { say } = useChat();
  const { media, cost, balance, tookMs } = view;
  return (
    <>
      {media.map((file) => (
        <Media key={file.id} file={file} plays={fresh} />
      ))}
      <p class="caption">
        {[
          ...(cost === null ? [] : [say("page.cost", { count: cost, tokens: cost })]),
          ...(balance === null ? [] : [say("page.left", { count: balance, tokens: balance })]),
          say("page.took", { ms: tookMs }),
        ].join(" · ")}
      </p>
      <Actions actions={view.actions}>
        {media.map(({ id, name }) => (
          <a
            key={id}
            class="button secondary"
            href={`${mediaUrl(id)}?save=${encodeURIComponent(name)}`}
            download={name}
          >
            <Icon name="download" />
            {say("page.download")}
          </a>
        ))}
      </Actions>
    </>
  );
}

/** @param plays starts by itself, without sound, unless the person's system asks for less motion */
function Media({ file, plays }: { file: StoredMedia; plays: boolean }) {
  const { say } = useChat();
  const [tall, setTall] = useState(false);
  if (file.kind === "image")
    return <img class="media" src={mediaUrl(file.id)} alt={say("page.result.image")} />;
  const moves = plays && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  return (
    <video
      class={tall ? "media tall" : "media"}
      src={mediaUrl(file.id)}
      onLoadedMetadata={({ currentTarget }) => setTall(currentTarget.videoHeight > currentTarget.videoWidth)}
      aria-label={say("page.result.video")}
      controls
      playsInline
      loop
      preload="metadata"
      autoplay={moves}
      muted={moves}
    />
  );
}
