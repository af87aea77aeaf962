import type { UploadedFile } from "../../../../wire.ts";
import { mediaUrl } from "../../state/api.ts";
import { useChat } from "../../state/context.ts";
import { Icon } from "./Icon.tsx";

/** Saves a file under its name. */
export function Download({ file: { id, name } }: { file: UploadedFile }) {
  const { say } = useChat();
  return (
    <a class="button secondary" href={`${mediaUrl(id)}?save=${encodeURIComponent(name)}`} download={name}>
      <Icon name="download" />
      {say("page.download")}
    </a>
  );
}
