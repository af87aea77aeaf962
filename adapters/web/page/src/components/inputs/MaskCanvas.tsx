import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { useChat } from "../../state/context.ts";
import type { Mark, CanvasSize } from "../../form/paint.ts";
import { usePainting, type Brush } from "../../form/painting.ts";

/** The picture, what is marked in it, and a ring that shows how thick the brush is. */
export function MaskCanvas(props: {
  url: string;
  canvas: RefObject<HTMLCanvasElement | null>;
  /** The picture's own, once it is known. */
  size: CanvasSize | undefined;
  brush: Brush;
  onSize: (size: CanvasSize) => void;
  onUnreadable: () => void;
  onMark: (mark: Mark) => void;
}) {
  const { say } = useChat();
  const { size, brush } = props;
  const ring = useRef<HTMLSpanElement>(null);
  const painting = usePainting(size, brush, props.onMark);
  return (
    <div
      class="easel"
      onPointerMove={({ currentTarget, clientX, clientY }) => {
        const box = currentTarget.getBoundingClientRect();
        // Moved by hand: rendering for every move of a pointer would be slow.
        ring.current?.style.setProperty("translate", `${clientX - box.left}px ${clientY - box.top}px`);
      }}
    >
      <img
        src={props.url}
        alt=""
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          props.onSize({ width, height })
        }
        onError={props.onUnreadable}
      />
      <canvas ref={props.canvas} aria-label={say("page.mask.canvas")} role="img" {...painting} />
      {size && <span ref={ring} class="ring" style={{ width: `${(100 * brush.size) / size.width}%` }} />}
    </div>
  );
}
