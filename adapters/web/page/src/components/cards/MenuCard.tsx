import { say as sayMessage } from "../../../../../../src/seam/text/say.ts";
import type { MenuView } from "../../../../../../src/seam/views.ts";
import { useChat } from "../../state/context.ts";
import { Actions } from "../base/Actions.tsx";

/** A list with something to do for each line. */
export function MenuCard({ view }: { view: MenuView }) {
  const { say } = useChat();
  return (
    <>
      <p class="text">{sayMessage(say, view.title)}</p>
      <ul class="items">
        {view.items.map((item, index) => (
          <li key={item.actions[0]?.token ?? index}>
            <div class="item-text">
              <b>{sayMessage(say, item.title)}</b>
              {item.detail && <small>{sayMessage(say, item.detail)}</small>}
            </div>
            <Actions actions={item.actions} about={sayMessage(say, item.title)} />
          </li>
        ))}
      </ul>
      <Actions actions={view.actions} />
    </>
  );
}
