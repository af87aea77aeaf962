import { useState } from "preact/hooks";
import { useChat } from "../../state/context.ts";
import type { ControlProps } from "../../form/control.ts";
import { roomOf } from "../../../../../../src/seam/forms/filling.ts";
import { useMediaList } from "../../form/media-list.ts";
import { usePictureUpload } from "../../state/upload.ts";
import { Fault } from "../base/Fault.tsx";
import { MoveButtons, useMoves } from "./MoveButtons.tsx";
import { Picture, Well, WellClear } from "./Well.tsx";

/** A place for several pictures, in an order: by dragging, or with two buttons on each. */
export function PictureStrip({ id, field, value, describedBy, onValue }: ControlProps) {
  const { say, report } = useChat();
  const { list, put, add, remove, now } = useMediaList(value, onValue);
  const { upload, busy, problem } = usePictureUpload(add);
  const { wells, move, moveAndFollow } = useMoves(list, put);
  const [dragged, setDragged] = useState<number>();
  const max = roomOf(field);
  const count = say("page.pictures.count", { count: list.length, max });

  function take(files: readonly File[]) {
    const room = max - now().length;
    if (files.length > room) report({ code: "no_place", params: {} });
    void upload(files.slice(0, room));
  }

  return (
    <div class="well-place">
      <ul class="strip" ref={wells} aria-label={say(field.label)}>
        {list.map((media, place) => (
          <li
            key={place}
            class={place === dragged ? "well filled dragged" : "well filled"}
            draggable={list.length > 1}
            onDragStart={() => setDragged(place)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              // They change places under the pointer, so that everyone sees where it will be.
              if (dragged !== place) move(dragged, place);
              setDragged(place);
            }}
            onDrop={(event) => dragged !== undefined && event.preventDefault()}
          >
            <Picture media={media} />
            <WellClear
              label={say("page.pictures.place", { place: place + 1 })}
              onClear={() => remove(place)}
            />
            {list.length > 1 && (
              <MoveButtons place={place} last={list.length - 1} onMove={(to) => moveAndFollow(place, to)} />
            )}
          </li>
        ))}
        {(list.length < max || busy) && (
          <li>
            <Well
              id={id}
              label={say(field.label)}
              describedBy={describedBy}
              busy={busy}
              note={count}
              multiple
              onFiles={take}
            />
          </li>
        )}
      </ul>
      <p class="hidden" role="status">
        {count}
      </p>
      <Fault problem={problem} />
    </div>
  );
}
