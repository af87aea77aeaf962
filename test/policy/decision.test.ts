import { describe, expect, it } from "vitest";
import { decide, refusalHere, type Request } from "../../src/policy/decision.ts";

const blockedWords = ["dragon", "Blöd"];
const declared = { version: 1, at: 1, surface: "telegram" } as const;
const consented = { declared: { consent: declared } };

/** A photo and harmless words, in private, with a key of one's own. */
const usual: Request = {
  origin: { audience: "private", user: "telegram:1" },
  person: consented,
  text: "slow zoom",
  avoided: "",
  photos: true,
  mature: false,
  reached: undefined,
};

const decided = (different: Partial<Request>) => decide({ ...usual, ...different }, blockedWords);

describe("what may be made", () => {
  it.each([
    ["what is usual", {}, { kind: "allow" }],
    ["a photo, before anything was declared", { person: {} }, { kind: "ask", statement: "consent" }],
    [
      "a photo, when another wording was declared",
      { person: { declared: { consent: { ...declared, version: 0 } } } },
      { kind: "ask", statement: "consent" },
    ],
    ["words alone", { person: {}, photos: false }, { kind: "allow" }],
    [
      "a photo from whoever runs Reelay",
      { person: {}, origin: { audience: "private", user: "web:me" } },
      { kind: "allow" },
    ],
    ["a blocked word", { text: "a DRAGON, please" }, { kind: "refuse", code: "words_blocked" }],
    ["a blocked word without its accent", { text: "blod" }, { kind: "refuse", code: "words_blocked" }],
    ["a word that only contains it", { text: "dragonfly" }, { kind: "allow" }],
    [
      "a mature template in a group",
      { mature: true, origin: { audience: "group", user: "telegram:1" } },
      { kind: "refuse", code: "mature_here" },
    ],
    [
      "a mature template for a partner's people",
      { mature: true, origin: { audience: "partner", user: "http:shop" } },
      { kind: "refuse", code: "mature_here" },
    ],
    [
      "a photo from a partner, who vouches for their people",
      { person: {}, origin: { audience: "partner", user: "http:shop" } },
      { kind: "allow" },
    ],
    [
      "a blocked word from a partner",
      { text: "dragon", origin: { audience: "partner", user: "http:shop" } },
      { kind: "refuse", code: "words_blocked" },
    ],
    ["a mature template in private", { mature: true }, { kind: "ask", statement: "adult" }],
    [
      "the same from an adult",
      { mature: true, person: { declared: { consent: declared, adult: declared } } },
      { kind: "allow" },
    ],
    [
      "the same in an age-restricted place",
      { mature: true, origin: { audience: "age-restricted", user: "telegram:1" } },
      { kind: "allow" },
    ],
    [
      "one too many in a day",
      { reached: { code: "daily_cap", max: 3 } },
      { kind: "refuse", code: "daily_cap", params: { max: 3 } },
    ],
    [
      "a refusal comes before a question",
      { person: {}, text: "dragon" },
      { kind: "refuse", code: "words_blocked" },
    ],
    [
      "as does a cap",
      { person: {}, reached: { code: "chat_cap", max: 5 } },
      { kind: "refuse", code: "chat_cap", params: { max: 5 } },
    ],
  ] as const)("%s", (_, different, decision) => {
    expect(decided(different)).toMatchObject(decision);
  });
});

describe("a group's own rules", () => {
  const rooms = ["1", "2"];
  const operations = ["video", "image"];
  const elsewhere = { code: "room_not_allowed", params: { rooms: "1, 2" } };
  const other = { operation: "faceswap", operations: "video, image" };
  it.each([
    ["allow everything where nothing is set", undefined, "video", {}, []],
    ["allow a room that was chosen", "2", "video", { rooms }, []],
    ["refuse another", "3", "video", { rooms }, [elsewhere]],
    ["refuse where no room is known", undefined, "video", { rooms }, [elsewhere]],
    ["allow what was chosen", "3", "image", { operations }, []],
    [
      "refuse something else",
      "3",
      "faceswap",
      { operations },
      [{ code: "operation_not_allowed", params: other }],
    ],
  ] as const)("%s", (_, room, operation, group, refusals) => {
    expect([refusalHere(room, operation, group)].filter(Boolean)).toMatchObject(refusals);
  });
});
