import type { NoticeView } from "../../../../../../src/seam/views.ts";
import { Close } from "../base/Toast.tsx";
import { NoticeCard } from "../cards/NoticeCard.tsx";

/** Something that was done, or takes a further press, and belongs to no message. */
export function Told({ notice, onClose }: { notice: NoticeView; onClose: () => void }) {
  return (
    <div class={notice.actions?.length ? "toast" : "toast told"} role="status">
      <div class="said">
        <NoticeCard view={notice} />
      </div>
      <Close onClose={onClose} />
    </div>
  );
}
