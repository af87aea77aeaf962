import { useState } from "preact/hooks";
import { useLoaded } from "./useLoaded.ts";

/** Loads what a page shows, and anew whenever it is told to. @param inputs what that depends on */
export function useShown<T>(load: () => Promise<T>, inputs: readonly unknown[] = []) {
  const [turn, setTurn] = useState(0);
  const again = () => setTurn((before) => before + 1);
  return { ...useLoaded(load, [turn, ...inputs]), again };
}
