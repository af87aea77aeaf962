import { describe, expect, it } from "vitest";
import { decide, type Request, type Rules } from "../../src/policy/decision.ts";

const rules: Rules = { blockedWords: ["dragon", "Blöd"], capPerPerson: 3, capPerChat: 5 };
const declared = { version: 1, at: 1, surface: "telegram" } as const;
const consented = { declared: { consent: declared } };

/** A photo and harmless words, in private, with a key of one's own. */
const usual: Request = {
  origin: { audience: "private", user: "telegram:1" },
  person: consented,
  text: "slow zoom",
  photos: true,
  mature: false,
  shared: undefined,
};

const decided = (different: Partial<Request>) => decide({ ...usual, ...different }, rules);

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
    ["the last one of the day", { shared: { byPerson: 2, inChat: 4 } }, { kind: "allow" }],
    [
      "one too many of a person",
      { shared: { byPerson: 3, inChat: 0 } },
      { kind: "refuse", code: "daily_cap", params: { max: 3 } },
    ],
    [
      "one too many in a group",
      { shared: { byPerson: 0, inChat: 5 } },
      { kind: "refuse", code: "chat_cap", params: { max: 5 } },
    ],
    [
      "a refusal comes before a question",
      { person: {}, text: "dragon" },
      { kind: "refuse", code: "words_blocked" },
    ],
  ] as const)("%s", (_, different, decision) => {
    expect(decided(different)).toMatchObject(decision);
  });
});
