import { useEffect, useState } from "preact/hooks";
import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import type { Values } from "../../../../../../src/seam/values.ts";
import { roomFor, withPicture } from "../../form/attach.ts";
import { useChat } from "../../state/context.ts";
import { placesOf } from "../../form/fields.ts";
import { useGivenFiles } from "../../form/given-files.ts";
import { isSoundFile } from "../../form/sound-file.ts";
import { isPictureFile, usePictureUpload } from "../../state/upload.ts";
import { Icon } from "../base/Icon.tsx";

/** Takes pictures that are dropped anywhere on the page, or pasted, to the places that have room for them. */
export function DropZone(props: {
  fields: readonly FieldSpec[];
  values: Values;
  onChange: (change: (values: Values) => Values) => void;
}) {
  const { say, report } = useChat();
  const { fields, values, onChange } = props;
  const { upload, busy, problem } = usePictureUpload((media) =>
    onChange((current) => withPicture(fields, current, media)),
  );
  useEffect(() => {
    if (problem) report(problem);
  }, [problem]);
  useGivenFiles(isPictureFile, (files) => {
    const room = roomFor(fields, values);
    if (files.length > room) report({ code: "no_place", params: {} });
    void upload(files.slice(0, room));
  });
  const hears = placesOf(fields, values).sounds.length > 0;
  useGivenFiles(
    (file) => !isPictureFile(file) && !(hears && isSoundFile(file)),
    (files) => {
      const unknown = files.find((file) => !isSoundFile(file));
      report(
        unknown
          ? { code: "media_type", params: { found: unknown.type || unknown.name } }
          : { code: "no_place", params: {} },
      );
    },
  );

  if (useDragging()) {
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

/** Whether files are being dragged over the page; it never lets the browser open one instead of itself. */
function useDragging(): boolean {
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    addEventListener(
      "dragover",
      (event) => {
        if (!carriesFile(event)) return;
        event.preventDefault();
        setDragging(true);
      },
      { signal },
    );
    addEventListener("dragleave", (event) => event.relatedTarget === null && setDragging(false), { signal });
    // Captured, so that the veil also goes when a well takes the drop for itself.
    addEventListener(
      "drop",
      (event) => {
        setDragging(false);
        if (carriesFile(event)) event.preventDefault();
      },
      { signal, capture: true },
    );
    return () => listeners.abort();
  }, []);
  return dragging;
}
