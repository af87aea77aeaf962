import type { Watcher } from "../watcher.ts";

/** An address that requests leave by. */
interface Egress {
  readonly name: string;
  /** Whether no connection could be made by it. */
  readonly isAway: boolean;
}

/** Sees that an address cannot be left by while others can: where none can, it is not the address that is to be looked at. */
export function watchEgresses(egresses: () => readonly Egress[]): Watcher {
  return {
    async look() {
      const all = egresses();
      const away = all.filter(({ isAway }) => isAway);
      if (away.length === all.length) return [];
      return away.map(({ name }) => ({ kind: "egress_away", of: name, params: { name } }));
    },
  };
}
