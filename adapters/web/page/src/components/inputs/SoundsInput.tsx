import { useRef } from "preact/hooks";
import { useChat } from "../../state/context.ts";
import type { ControlProps } from "../../form/control.ts";
import { roomOf } from "../../../../../../src/seam/forms/filling.ts";
import { useGivenFiles } from "../../form/given-files.ts";
import { useMediaList } from "../../form/media-list.ts";
import { asSoundFile, isSoundFile, secondsOf } from "../../form/sound-file.ts";
import { acceptedSounds, soundFault } from "../../form/sounds.ts";
import { useUpload } from "../../state/upload.ts";
import { Fault } from "../base/Fault.tsx";
import { Icon } from "../base/Icon.tsx";
import { Sound } from "./Sound.tsx";

/** Sounds, each with a player; what does not fit is refused before it is uploaded. */
export function SoundsInput({ id, field, value, describedBy, onValue }: ControlProps) {
  const { say } = useChat();
  const { list, add, remove, now } = useMediaList(value, onValue);
  /** By file; of what was there before, its player tells. */
  const seconds = useRef(new Map<string, number>());
  const measured = useRef(Number.NaN);
  const { upload, busy, problem } = useUpload(
    async (file) => {
      measured.current = await secondsOf(file);
      const others = now().map((sound) => seconds.current.get(sound.id) ?? Number.NaN);
      return soundFault(field, { type: file.type, bytes: file.size, seconds: measured.current }, others);
    },
    (media) => {
      seconds.current.set(media.id, measured.current);
      add(media);
    },
  );
  const take = (files: readonly File[]) => void upload(files.map(asSoundFile));
  useGivenFiles(isSoundFile, take);
  const max = roomOf(field);
  return (
    <div class="sounds">
      <div class="sounds-head">
        <label class="tool file-button">
          {busy ? (
            <span class="spinner" role="status" aria-label={say("page.uploading")} />
          ) : (
            <Icon name="sound" />
          )}
          {say(field.label)}
          <input
            id={id}
            type="file"
            multiple
            accept={acceptedSounds(field)}
            aria-describedby={describedBy}
            onChange={({ currentTarget }) => {
              take([...(currentTarget.files ?? [])]);
              currentTarget.value = "";
            }}
          />
        </label>
        {list.length > 0 && (
          <span class="caption">{say("page.pictures.count", { count: list.length, max })}</span>
        )}
      </div>
      {list.length > 0 && (
        <ul>
          {list.map((media, index) => (
            <Sound
              key={index}
              media={media}
              onSeconds={(length) => seconds.current.set(media.id, length)}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      )}
      <Fault problem={problem} />
    </div>
  );
}
