import { useRef } from "preact/hooks";
import { mediaIn, type MediaRef, type Value } from "../../../../../src/seam/values.ts";

/** A list of files that uploads may add to while it is changed by hand: neither undoes the other. */
export function useMediaList(value: Value | undefined, onValue: (value: Value | undefined) => void) {
  const latest = useRef<readonly MediaRef[]>([]);
  latest.current = mediaIn(value);

  function put(list: readonly MediaRef[]) {
    latest.current = list;
    onValue(list.length > 0 ? list : undefined);
  }
  return {
    list: latest.current,
    put,
    add: (media: MediaRef) => put([...latest.current, media]),
    remove: (index: number) => put(latest.current.toSpliced(index, 1)),
    /** What is in the list by now. */
    now: () => latest.current,
  };
}
