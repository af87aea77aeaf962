import { say as sayMessage } from "../../../../../../src/seam/text/say.ts";
import type { StoredFileView } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { sizeText } from "../../view/sentences.ts";
import { Actions } from "../base/Actions.tsx";
import { Download } from "../base/Download.tsx";
import { Icon } from "../base/Icon.tsx";

/** A file to save. */
export function FileCard({ view: { text, file, actions } }: { view: StoredFileView }) {
  const { say, locale } = useChat();
  return (
    <>
      <p class="text">{sayMessage(say, text)}</p>
      <p class="caption file-name">
        <Icon name="file" />
        {file.name} · {sizeText(locale, file.bytes)}
      </p>
      <Actions actions={actions}>
        <Download file={file} />
      </Actions>
    </>
  );
}
