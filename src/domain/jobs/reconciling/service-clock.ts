/** Timestamps may be whole seconds, and the two clocks drift, in milliseconds. */
const BLUR_MS = 2_000;

/** How many of the nearest measurements are taken together: the service's zone may change within a year. */
const NEAREST = 5;

/** A record whose acceptance we saw: between sending it and its answer. Milliseconds since 1970. */
export interface ClockSample {
  readonly sentAt: number;
  readonly acceptedAt: number;
  /** By the service's clock, read as if it were UTC. */
  readonly createdAt: number;
}

/**
 * How far the service's timestamps are ahead of our clock, in milliseconds: at least and at most. They have no zone
 * (section 2.1), so this may be hours.
 */
export interface ServiceClock {
  readonly least: number;
  readonly most: number;
}

const HOUR_MS = 3_600_000;

/** As far as zones go, and an hour for a clock that is wrong: what holds where nothing was measured. */
export const ANY_ZONE: ServiceClock = { least: -13 * HOUR_MS, most: 15 * HOUR_MS };

/** A stretch of our own time, in milliseconds since 1970. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Measures the service's clock by its own answers.
 * @param near the time that matters: what was measured nearest to it counts most
 * @returns undefined where nothing was measured
 */
export function measureClock(samples: readonly ClockSample[], near: number): ServiceClock | undefined {
  const distance = ({ acceptedAt }: ClockSample) => Math.abs(acceptedAt - near);
  const nearest = samples.toSorted((a, b) => distance(a) - distance(b)).slice(0, NEAREST);
  let clock: ServiceClock | undefined;
  for (const { sentAt, acceptedAt, createdAt } of nearest) {
    const least = Math.max(clock?.least ?? -Infinity, createdAt - acceptedAt - BLUR_MS);
    const most = Math.min(clock?.most ?? Infinity, createdAt - sentAt + BLUR_MS);
    // One that contradicts those that are nearer dates from before the clock was set.
    if (least <= most) clock = { least, most };
  }
  return clock;
}

/** When something happened by our clock that the service stamped so. */
export function byOurs(createdAt: number, { least, most }: ServiceClock): Stretch {
  return { from: createdAt - most - BLUR_MS, to: createdAt - least + BLUR_MS };
}
