import { useEffect, useRef, useState } from "preact/hooks";
import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import { mediaIn, type Values } from "../../../../../../src/seam/values.ts";
import { roomFor, withPicture } from "../../form/attach.ts";
import { useChat } from "../../state/context.ts";
import { placesOf } from "../../form/fields.ts";
import { carriesAddress } from "../../form/address.ts";
import { useGivenAddress, useGivenFiles } from "../../form/given-files.ts";
import { mediaUrl } from "../../state/api.ts";
import { isSoundFile } from "../../form/sound-file.ts";
import { settle } from "../../state/problem.ts";
import { fileAt, isPictureFile, usePictureUpload } from "../../state/upload.ts";
import { Icon } from "../base/Icon.tsx";

/** Takes pictures that are dropped anywhere on the page, or pasted, to the places that have room for them. */
export function DropZone(props: {
  fields: readonly FieldSpec[];
  values: Values;
  onChange: (change: (values: Values) => Values) => void;
}) {
  const { api, attempt, say, report } = useChat();
  const { fields, values, onChange } = props;
  const [fetching, setFetching] = useState(false);
  const { upload, busy, problem } = usePictureUpload((media) =>
    onChange((current) => withPicture(fields, current, media)),
  );
  useEffect(() => {
    if (problem) report(problem);
  }, [problem]);
  useGivenFiles(isPictureFile, (files) => {
    const room = roomFor(fields, values);
    settle("no_place");
    if (files.length > room) report({ code: "no_place", params: {} });
    void upload(files.slice(0, room));
  });
  useGivenAddress((address) => {
    const { origin, pathname } = URL.parse(address) ?? {};
    if (!/^https?:/i.test(address)) return report({ code: "url_refused", params: {} });
    if (roomFor(fields, values) === 0) return report({ code: "no_place", params: {} });
    void attempt(async () => {
      setFetching(true);
      // What is shown here already is not to be asked for from elsewhere.
      const own = origin === location.origin && pathname?.startsWith(mediaUrl(""));
      const media = await (own ? api.upload(await fileAt(address)) : api.uploadFrom(address));
      onChange((current) => withPicture(fields, current, media));
      settle("upload_lost");
    }).finally(() => setFetching(false));
  });
  // Something was taken out, or more is taken by now: what found no place may be given again.
  const filled = fields.flatMap(({ name }) => mediaIn(values[name])).length;
  const before = useRef({ fields, filled });
  useEffect(() => {
    if (before.current.fields !== fields || filled < before.current.filled) settle("no_place");
    before.current = { fields, filled };
  }, [fields, filled]);
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
  return busy || fetching ? (
    <p class="caption" role="status">
      {say("page.uploading")}
    </p>
  ) : null;
}

/** Whether files or an address are being dragged over the page; it never lets the browser open one instead of itself. */
function useDragging(): boolean {
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const carries = (event: DragEvent) => carriesFile(event) || carriesAddress(event.dataTransfer);
    const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    addEventListener(
      "dragover",
      (event) => {
        if (!carries(event)) return;
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
