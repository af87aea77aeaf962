import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** A window this low, or enlarged so much, has no room for the conversation and everything that is filled in. */
const LOW = "(max-height: 36rem)";

/**
 * Folds the composer up in a low window until somebody wants it.
 * @param form stays open while the focus is in it: a keyboard on the screen makes the window low, too
 * @param filling what is being filled in; undefined while there is nothing. It opens when that comes from elsewhere.
 */
export function useFold(form: RefObject<HTMLElement | null>, filling: object | undefined) {
  const [low, setLow] = useState(() => matchMedia(LOW).matches);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const query = matchMedia(LOW);
    const hear = () => {
      setOpen(form.current?.contains(document.activeElement) ?? false);
      setLow(query.matches);
    };
    query.addEventListener("change", hear);
    // It may have changed since the first drawing.
    setLow(query.matches);
    return () => query.removeEventListener("change", hear);
  }, []);
  const before = useRef(filling);
  // At once: an effect after the paint may come when the request was sent and folded away already, and open it again.
  useLayoutEffect(() => {
    if (filling && filling !== before.current) setOpen(true);
    before.current = filling;
  }, [filling]);
  const folded = low && !open;
  useLayoutEffect(() => {
    const composer = form.current;
    // What was pressed is folded away with the rest: the focus goes to what unfolds it.
    if (folded && composer?.contains(document.activeElement))
      composer.querySelector<HTMLElement>(".fold-button")?.focus();
  }, [folded]);
  return { low, folded, setOpen };
}
