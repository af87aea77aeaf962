import { useRef } from "preact/hooks";
import type { MediaRef } from "../../../../../../src/seam/values.ts";
import { useChat } from "../../state/context.ts";
import { useAfterDrawing } from "../../view/drawing.ts";
import { Icon } from "../base/Icon.tsx";

/** Moves pictures of a list to other places. */
export function useMoves(list: readonly MediaRef[], put: (list: readonly MediaRef[]) => void) {
  const wells = useRef<HTMLUListElement>(null);
  const afterDrawing = useAfterDrawing();

  function move(from: number, to: number) {
    const media = list[from];
    if (media) put(list.toSpliced(from, 1).toSpliced(to, 0, media));
  }

  /** The pictures move and the buttons stay, so the focus has to follow the picture. */
  function moveAndFollow(from: number, to: number) {
    move(from, to);
    afterDrawing(() => {
      const [left, right] = wells.current?.children[to]?.querySelectorAll("button.well-move") ?? [];
      const same = to < from ? left : right;
      const other = same === left ? right : left;
      for (const button of [other, same]) if (button instanceof HTMLElement) button.focus();
    });
  }
  return { wells, move, moveAndFollow };
}

/** The two buttons on a picture of a list. */
export function MoveButtons(props: { place: number; last: number; onMove: (to: number) => void }) {
  const { say } = useChat();
  const { place, last, onMove } = props;
  return (
    <>
      {(["left", "right"] as const).map((way) => {
        const to = way === "left" ? place - 1 : place + 1;
        return (
          <button
            key={way}
            type="button"
            class={`icon-button well-button well-move well-${way}`}
            aria-label={say(`page.pictures.${way}`, { place: place + 1 })}
            disabled={to < 0 || to > last}
            onClick={() => onMove(to)}
          >
            <Icon name={way} />
          </button>
        );
      })}
    </>
  );
}
