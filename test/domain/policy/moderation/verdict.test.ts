import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sayProblem } from "../../../../src/seam/text/say.ts";
import { LOCALES, translator } from "../../../../src/common/i18n.ts";
import {
  judge,
  type ModerationVerdict,
  type Unflagged,
} from "../../../../src/domain/policy/moderation/verdict.ts";

const PASSED = { kind: "passed" } as const;
const DOWN = { kind: "down" } as const;
const BUSY = { kind: "busy" } as const;
const UNREADABLE = { kind: "unreadable" } as const;
const UNSEEN: Unflagged = { kind: "unseen", code: "media_unreadable", params: {} };

const flagged = (words: readonly string[], rest: Unflagged = PASSED): ModerationVerdict => ({
  kind: "flagged",
  words,
  pictures: [],
  rest,
});

const flaggedPicture = (pictures: readonly string[], words: readonly string[] = []): ModerationVerdict => ({
  kind: "flagged",
  words,
  pictures,
  rest: PASSED,
});

const down = { code: "moderation_down", params: {} };
const refused = (categories: string) => ({ code: "moderation_refused", params: { categories } });

/** Verdict, whether a mature template was chosen where it may be, whether an outage closes; and what follows. */
const SITUATIONS: readonly [ModerationVerdict, boolean, "closed" | "open", object | undefined][] = [
  [PASSED, false, "closed", undefined],
  [DOWN, false, "closed", down],
  [DOWN, true, "open", undefined],
  [BUSY, false, "closed", down],
  [BUSY, false, "open", down],
  [UNREADABLE, false, "closed", down],
  [UNREADABLE, true, "open", down],
  [UNSEEN, true, "open", { code: "media_unreadable", params: {} }],
  [flagged(["violence/graphic"]), true, "open", refused("violence_graphic")],
  [flagged(["sexual"]), false, "open", refused("sexual")],
  [flagged(["sexual"]), true, "closed", undefined],
  [flagged(["sexual", "violence"]), true, "open", refused("sexual, violence")],
  [flagged(["sexual/minors"]), true, "open", refused("sexual_minors")],
  [flagged(["sexual", "sexual/minors"]), true, "open", refused("sexual, sexual_minors")],
  [flagged(["other"]), true, "open", refused("other")],
  [flagged(["nudity", "$t(error.internal)"]), false, "closed", refused("other")],
  // Who is on a picture that is sexual already may be too young: only words are excused.
  [flaggedPicture(["sexual"]), true, "open", refused("sexual")],
  [flaggedPicture(["sexual"], ["sexual"]), true, "open", refused("sexual")],
  // What may be flagged there does not excuse what was not examined.
  [flagged(["sexual"], DOWN), true, "closed", down],
  [flagged(["sexual"], DOWN), true, "open", undefined],
  [flagged(["sexual"], UNREADABLE), true, "open", down],
  [flagged(["sexual"], UNSEEN), true, "open", { code: "media_unreadable", params: {} }],
  // What was flagged is refused, whatever else was not examined.
  [flagged(["hate"], DOWN), true, "open", refused("hate")],
];

describe("what follows from a verdict", () => {
  it.each(SITUATIONS)("%j, mature %s, %s when down", (verdict, mature, whenDown, reason) => {
    expect(judge(verdict, { mature, whenDown })).toEqual(reason);
  });

  it("is a refusal for whatever is flagged, but for the sexual alone with a mature template", () => {
    const categories = fc.array(
      fc.oneof(fc.constantFrom("sexual", "sexual/minors", "violence"), fc.string()),
      {
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(categories, fc.boolean(), (names, mature) => {
        const reason = judge(flagged(names), { mature, whenDown: "open" });
        const excused = mature && new Set(names).size === 1 && names[0] === "sexual";
        expect(reason?.code).toBe(excused ? undefined : "moderation_refused");
      }),
    );
  });

  it.each(LOCALES)("is said in plain words (%s)", (locale) => {
    const reason = judge(flagged(["sexual/minors", "self-harm/intent", "unheard-of"]), {
      mature: false,
      whenDown: "closed",
    });
    if (!reason) throw new Error("It passed.");
    const said = sayProblem(translator(locale), reason);
    expect(said).not.toMatch(/_|\/|\{|unheard/);
    expect(said).toContain(translator(locale)("moderation.other"));
  });
});
