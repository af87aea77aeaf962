import { useEffect, useRef, useState } from "preact/hooks";
import type { MediaRef } from "../../../../../src/chat/values.ts";
import { useChat } from "../context.ts";
import { pictureIn, useUpload } from "../upload.ts";
import { Icon } from "./Icon.tsx";

/** Takes a picture that is dropped anywhere on the page, or pasted. */
export function DropZone({ onMedia }: { onMedia: (media: MediaRef) => void }) {
  const { say, report } = useChat();
  const [over, setOver] = useState(false);
  const { upload, busy, problem } = useUpload(onMedia);
  const take = useRef(upload);
  take.current = upload;
  useEffect(() => {
    if (problem) report(problem);
  }, [problem]);

  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const receive = (event: Event, data: DataTransfer | null) => {
      const picture = pictureIn(data);
      if (!picture) return;
      event.preventDefault();
      void take.current(picture);
    };
    addEventListener(
      "dragover",
      (event) => {
        if (!carriesFile(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    addEventListener("dragleave", (event) => event.relatedTarget === null && setOver(false), { signal });
    // Captured, so that the veil also goes when a well takes the drop for itself.
    addEventListener("drop", () => setOver(false), { signal, capture: true });
    addEventListener(
      "drop",
      (event) => {
        if (carriesFile(event)) event.preventDefault();
        receive(event, event.dataTransfer);
      },
      { signal },
    );
    addEventListener("paste", (event) => receive(event, event.clipboardData), { signal });
    return () => listeners.abort();
  }, []);

  if (over) {
    return (
      <div class="veil">
        <p>
          <Icon name="photo" />
          {say("page.drop")}
        </p>
      </div>
    );
  }
  return busy ? (
    <p class="caption" role="status">
      {say("page.uploading")}
    </p>
  ) : null;
}
