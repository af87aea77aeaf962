/** How much a key has to do, as far as is known. */
export interface KeyLoad {
  readonly id: string;
  /** It is given so many times as much as a key of weight 1. */
  readonly weight: number;
  /** Requests in its window, of so many that the published rate allows. */
  readonly requests: number;
  readonly rate: number;
  /** Jobs that it has at the service, of so many slots as are known of. */
  readonly jobs: number;
  readonly slots: number;
}

/**
 * Keys in the order in which a job is to try them: the one first that would be the least full with it, for its weight; one whose window
 * is full after all others. Pure.
 * @param random in [0, 1): decides between those that are equal, so that none is always the first
 */
export function byRoom(keys: readonly KeyLoad[], random: () => number): readonly string[] {
  const shuffled = keys.map((key) => ({ ...fullness(key), id: key.id, lot: random() }));
  return shuffled
    .toSorted((a, b) => Number(a.isFull) - Number(b.isFull) || a.load - b.load || a.lot - b.lot)
    .map(({ id }) => id);
}

function fullness({ weight, requests, rate, jobs, slots }: KeyLoad) {
  const load = Math.max((requests + 1) / rate, (jobs + 1) / slots) / weight;
  return { load, isFull: requests >= rate };
}
