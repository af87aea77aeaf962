import { describe, expect, it } from "vitest";
import type { UserId } from "../../../src/seam/values.ts";
import { PATIENCE_MS, type SendingPlace, SendingPlaces } from "../../../src/domain/webhooks/places.ts";
import { MINUTE, SECOND } from "./harness.ts";

const NOW = Date.UTC(2026, 0, 30, 12);

/** Places, and a way to take as many as there are. */
function harness() {
  const places = new SendingPlaces();
  const ended: SendingPlace[] = [];
  function take(user: UserId, receiver: string): SendingPlace | undefined {
    if (!places.mayBegin({ user, receiver }, NOW)) return undefined;
    const place: SendingPlace = { user, receiver, giveUp: () => ended.push(place) };
    places.take(place);
    return place;
  }
  /** One try of a receiver that hung, and what came of it. */
  function hung(user: UserId, receiver: string, answered: boolean, now = NOW) {
    const place: SendingPlace = { user, receiver, giveUp: () => {} };
    places.take(place);
    places.hangs(place);
    places.leave(place, answered, now);
  }
  return { places, ended, take, hung };
}

/** As many as fit. */
function all(take: (index: number) => SendingPlace | undefined): SendingPlace[] {
  const taken: SendingPlace[] = [];
  for (;;) {
    const place = take(taken.length);
    if (!place) return taken;
    taken.push(place);
  }
}

describe("places", () => {
  it("are four for a receiver, eight for a partner, 64 in all, as long as nobody is slow", () => {
    const { take } = harness();
    expect(all(() => take("http:a", "a1"))).toHaveLength(4);
    expect(all((index) => take("http:a", `other ${index}`))).toHaveLength(4);
    expect(all((index) => take(`http:p${index}`, `r${index}`))).toHaveLength(56);
  });

  it("are kept for less than the two seconds that fifty who are silent may cost anybody", () => {
    expect(PATIENCE_MS).toBeLessThan(2_000);
  });

  it("are given back by tries that hang, so that the next may begin", () => {
    const { places, take } = harness();
    const first = all((index) => take(`http:p${index}`, `r${index}`));
    expect(first).toHaveLength(64);
    first.forEach((place) => places.hangs(place));
    expect(take("http:healthy", "h")).toBeDefined();
  });

  it("are two for a receiver that answers late, one for one that does not answer, and never those of others", () => {
    const { places, take, hung } = harness();
    hung("http:late", "late", true);
    expect(all(() => take("http:late", "late"))).toHaveLength(2);
    hung("http:silent", "silent", false);
    expect(take("http:silent", "silent")).toBeUndefined();
    expect(places.mayBegin({ user: "http:silent", receiver: "silent" }, NOW + 5 * SECOND - 1)).toBe(false);
    expect(places.mayBegin({ user: "http:silent", receiver: "silent" }, NOW + 5 * SECOND)).toBe(true);
    for (let index = 0; index < 200; index++) hung(`http:p${index}`, `r${index}`, false, NOW - MINUTE);
    expect(all((index) => take(`http:p${index}`, `r${index}`))).toHaveLength(32);
    expect(all((index) => take(`http:q${index}`, `q${index}`))).toHaveLength(64);
  });

  it.each([
    ["answer late", true, 4, 64],
    ["do not answer", false, 2, 32],
  ])("are for receivers that %s so many of a partner, and so many in all", (_, answered, ofOne, inAll) => {
    const { take, hung } = harness();
    for (let index = 0; index < 10; index++) hung("http:a", `a${index}`, answered, NOW - MINUTE);
    expect(all((index) => take("http:a", `a${index % 10}`))).toHaveLength(ofOne);
    for (let index = 0; index < 100; index++) hung(`http:p${index}`, `r${index}`, answered, NOW - MINUTE);
    expect(all((index) => take(`http:p${index}`, `r${index}`))).toHaveLength(inAll - ofOne);
  });

  it("are kept from a silent receiver for longer each time, but for five minutes at most", () => {
    const { places, hung } = harness();
    const silent = { user: "http:silent", receiver: "silent" } as const;
    const rest = () => {
      hung(silent.user, silent.receiver, false);
      let ms = 0;
      while (!places.mayBegin(silent, NOW + ms)) ms += SECOND;
      return ms / SECOND;
    };
    expect(Array.from({ length: 9 }, rest)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  it("are all there again for a receiver that answers at once", () => {
    const { places, take, hung } = harness();
    hung("http:a", "a1", false, NOW - MINUTE);
    const place = take("http:a", "a1");
    if (!place) throw new Error("There was no place.");
    places.leave(place, true, NOW);
    expect(all(() => take("http:a", "a1"))).toHaveLength(4);
  });

  it("are kept from a silent receiver for no longer than ever where the clock was set back since", () => {
    const { take, hung } = harness();
    hung("http:a", "a1", false, NOW);
    expect(take("http:a", "a1")).toBeUndefined();
    hung("http:b", "b1", false, NOW + 10 * MINUTE);
    expect(take("http:b", "b1")).toBeDefined();
  });

  it("forget whom they have not tried for long", () => {
    const { places, take, hung } = harness();
    hung("http:a", "a1", false, NOW - 2 * MINUTE);
    places.forget(NOW - 3 * MINUTE);
    expect(take("http:a", "a1")).toBeDefined();
    expect(take("http:a", "a1")).toBeUndefined();
    places.forget(NOW);
    expect(take("http:a", "a1")).toBeDefined();
  });

  it("end the oldest try of a partner who has more than sixteen that hang, and of all where there are more than 256", () => {
    const { places, ended, take } = harness();
    const own = Array.from({ length: 17 }, (_, index) => {
      const place = take("http:a", `a${index}`);
      if (place) places.hangs(place);
      return place;
    });
    expect(ended).toEqual([own[0]]);
    const before = ended.length;
    // 256 with those of before, as long as nobody leaves.
    for (let index = 0; index < 239; index++) {
      const place = take(`http:p${index}`, `p${index}`);
      if (place) places.hangs(place);
    }
    expect(ended).toHaveLength(before);
    const last = take("http:last", "last");
    if (last) places.hangs(last);
    expect(ended.slice(before)).toEqual([own[0]]);
  });
});
