import type { MenuView } from "../../../../../src/chat/views.ts";
import { useChat } from "../context.ts";
import { sentence } from "../sentences.ts";
import { Actions } from "./Actions.tsx";

/** A list with something to do for each line. */
export function MenuCard({ view }: { view: MenuView }) {
  const { say } = useChat();
  return (
    <>
      <p class="text">{sentence(say, view.title)}</p>
      <ul class="items">
        {view.items.map((item, index) => (
          <li key={item.actions[0]?.token ?? index}>
            <div class="item-text">
              <b>{sentence(say, item.title)}</b>
              {item.detail && <small>{sentence(say, item.detail)}</small>}
            </div>
            <Actions actions={item.actions} />
          </li>
        ))}
      </ul>
      <Actions actions={view.actions} />
    </>
  );
}
