import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import en from "../../../locales/en.json" with { type: "json" };
import { decide, type Refusal } from "../../../src/domain/policy/decision.ts";
import { DEFAULTS, USUAL } from "../../../tools/docs/situation.ts";
import { CHAPTERS } from "../../../tools/docs/situations.ts";
import { decided, POLICY_PAGE, policyPage } from "../../../tools/docs/policy.ts";

const rows = CHAPTERS.flatMap((chapter) => chapter.rows.map((row) => ({ chapter: chapter.title, ...row })));

/** What is decided of something mature where one role's members alone may use such. */
const mature = (roles?: readonly string[]) =>
  decide(
    {
      ...USUAL,
      group: { matureRoles: ["7"] },
      roles,
      mature: true,
      audience: "age-restricted",
      agreed: ["adult"],
    },
    { ...DEFAULTS, mature: "age-restricted" },
  ).kind;

describe("what may be made", () => {
  it.each(rows)("$chapter: $title → $decision", (row) => {
    expect(decided(row)).toBe(row.decision);
  });

  it.each(rows.filter(({ decision }) => decision.startsWith("refuse")))(
    "is refused with all that the sentence says: $chapter: $title",
    ({ situation, rules }) => {
      const decision = decide({ ...USUAL, ...situation }, { ...DEFAULTS, ...rules });
      expect(decision.kind).toBe("refuse");
      const { code, params } = decision as Refusal;
      const sentence = new Map<string, string>(Object.entries(en)).get(`error.${code}`) ?? "";
      for (const [, name = ""] of sentence.matchAll(/\{\{(\w+)/g)) expect(params).toHaveProperty(name);
    },
  );

  it("is refused with what is allowed instead", () => {
    const group = { rooms: ["1", "2"], operations: ["image", "video"] };
    expect(decide({ ...USUAL, room: "3", group }, DEFAULTS)).toEqual({
      kind: "refuse",
      code: "room_not_allowed",
      params: { rooms: "1, 2" },
    });
    expect(decide({ ...USUAL, room: "2", operation: "faceswap", group }, DEFAULTS)).toEqual({
      kind: "refuse",
      code: "operation_not_allowed",
      params: { operation: "faceswap", operations: "image, video" },
    });
  });

  it("goes by what a group allows to roles", () => {
    const group = {
      operations: ["video"],
      roleOperations: { "7": ["image"], "8": ["video"] },
      matureRoles: ["7"],
    };
    const made = (operation: string, roles?: readonly string[]) =>
      decide({ ...USUAL, operation, group, roles }, DEFAULTS).kind;
    expect([made("video"), made("image"), made("video", ["9"])]).toEqual(["allow", "refuse", "allow"]);
    expect([made("image", ["7"]), made("video", ["7"])]).toEqual(["allow", "refuse"]);
    expect([made("image", ["7", "8"]), made("video", ["7", "8"])]).toEqual(["allow", "allow"]);
    expect([mature(), mature(["8"]), mature(["8", "7"])]).toEqual(["refuse", "refuse", "allow"]);
  });

  it("is told in as many situations as anybody would want to look up, each once", () => {
    expect(rows.length).toBeGreaterThanOrEqual(40);
    const told = rows.map(({ situation, rules }) => JSON.stringify([situation, rules]));
    expect(new Set(told).size).toBe(told.length);
  });

  it("is what the documentation says; `npm run docs` writes it", () => {
    expect(readFileSync(POLICY_PAGE, "utf8")).toBe(policyPage());
  });
});
