import type { StoredResult } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { jobName } from "../../view/names.ts";
import { Actions } from "../base/Actions.tsx";
import { Cover } from "../base/Cover.tsx";
import { Download } from "../base/Download.tsx";
import { ResultPicture } from "./ResultPicture.tsx";
import { ResultVideo } from "./ResultVideo.tsx";

/** A finished job: what it made, what it cost, what can be done next. */
export function ResultCard({ view, fresh }: { view: StoredResult; fresh: boolean }) {
  const chat = useChat();
  const { say } = chat;
  const { media, cost, balance, tookMs } = view;
  const name = jobName(chat, view.job);
  const shown = media.map((file) =>
    file.kind === "image" ? (
      <ResultPicture key={file.id} file={file} name={name} />
    ) : (
      <ResultVideo key={file.id} file={file} name={name} plays={fresh} />
    ),
  );
  return (
    <>
      {view.spoiler ? <Cover>{shown}</Cover> : shown}
      <p class="caption">
        {[
          ...(cost === null ? [] : [say("page.cost", { count: cost, tokens: cost })]),
          ...(balance === null ? [] : [say("page.left", { count: balance, tokens: balance })]),
          say("page.took", { ms: tookMs }),
        ].join(" · ")}
      </p>
      <Actions actions={view.actions} about={name}>
        {media.map((file) => (
          <Download key={file.id} file={file} />
        ))}
      </Actions>
    </>
  );
}
