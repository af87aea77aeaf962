import { useEffect, useState } from "preact/hooks";
import type { PageApi } from "./api.ts";

/**
 * The tokens that are left, as far as Reelay knows: whatever charges the same key tells it, and it asks the service for what else
 * changed, once a minute at most.
 * @param occasion changes when they may have changed
 */
export function useBalance(api: PageApi, occasion: unknown) {
  const [balance, setBalance] = useState<number | null>(null);
  useEffect(() => {
    let isOver = false;
    api.balance().then(
      (left) => isOver || setBalance(left),
      // Said where somebody asks for something.
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [api, occasion]);
  return [balance, setBalance] as const;
}
