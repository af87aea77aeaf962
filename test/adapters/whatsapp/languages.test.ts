import { describe, expect, it } from "vitest";
import { draftPage } from "../../../adapters/kit/drafts/page.ts";
import { plainFormat } from "../../../adapters/kit/drafts/page-parts.ts";
import { type Choices, choicesOf, fewOf, unitsOf } from "../../../adapters/kit/messages/choices.ts";
import { WHATSAPP } from "../../../adapters/whatsapp/api/limits.ts";
import { LOCALES, messageKey, translator } from "../../../src/common/i18n.ts";
import { sentencesOf } from "../../../src/common/languages.ts";
import { OPERATIONS, screens, state } from "../../support/draft-screens.ts";

/** What stands on buttons, of all sentences. */
const LABELS = Object.keys(sentencesOf("en"))
  .filter((key) => /^(?:action|sure|command|operation|choice)\.|^chat\.start\.(?:photo|templates)$/.test(key))
  .filter((key) => !/description|_(?:one|few|many|other)$/.test(key));

/** What stands on a button that says what it costs. */
const PRICED = Object.keys(sentencesOf("en")).flatMap((key) => /^(action\..+)_other$/.exec(key)?.[1] ?? []);

const button = (text: string, nth = 0) => ({ text, token: `t:${text}:${nth}`, style: "secondary" as const });

/** The rows or buttons of choices, as WhatsApp has them: what is wrong with each. */
function misfits(choices: Choices): string[] {
  if (choices.as === "buttons")
    return choices.buttons.flatMap(({ text }) => (unitsOf(text) > 20 || text.trim() === "" ? [text] : []));
  const wrong = choices.rows.filter(
    ({ title, description = "", token }) =>
      title.trim() === "" || unitsOf(title) > 24 || unitsOf(description) > 72 || unitsOf(token) > 183,
  );
  return [...wrong.map(({ title }) => title), ...(choices.rows.length > 10 ? ["too many"] : [])];
}

/** What the first of choices says. */
function saidIn(choices: Choices): string | undefined {
  if (choices.as === "buttons") return choices.buttons[0]?.text;
  const [row] = choices.rows;
  return row?.description ?? row?.title;
}

describe.each(LOCALES)("in %s", (locale) => {
  const say = translator(locale);
  const more = (from: number) => ({ token: `~p:0:${from}`, text: say("whatsapp.more") });
  const spoken = [
    ...LABELS.map((key) => say(messageKey(key))),
    ...PRICED.flatMap((key) =>
      [1, 2.7, 5, 12_345.75].map((tokens) => say(messageKey(key), { tokens, count: tokens })),
    ),
  ];

  it("every button and row says all that it has to say, in what WhatsApp takes", () => {
    expect(spoken.length).toBeGreaterThan(60);
    for (const text of spoken) {
      for (const others of [[], ["a", "b", "c"]]) {
        const choices = choicesOf([text, ...others].map(button), WHATSAPP, { more });
        expect(misfits(choices)).toEqual([]);
        expect(saidIn(choices)).toBe(text);
      }
      const few = fewOf(["a", text].map(button), WHATSAPP, more);
      expect([text, "a", say("whatsapp.more")]).toEqual(expect.arrayContaining(few.map((one) => one.text)));
    }
    for (const key of ["whatsapp.more", "whatsapp.choose"] as const)
      expect(unitsOf(say(key)), key).toBeLessThanOrEqual(20);
  });

  it("below a film stands more than the way to the rest", () => {
    const below = ["action.go_on.film", "action.change", "action.details", "action.delete"] as const;
    const labels = [say("action.new_seed_for", { tokens: 2.7, count: 2.7 }), ...below.map((key) => say(key))];
    const shown = fewOf(labels.map(button), WHATSAPP, more).map(({ text }) => text);
    expect(shown).toHaveLength(3);
    expect(shown.at(-1)).toBe(say("whatsapp.more"));
    for (const text of shown.slice(0, -1)) expect(labels).toContain(text);
  });

  it("every region of a picture has a name in its row, and none is cut", () => {
    const repaint = OPERATIONS.find(({ fields }) => fields.some(({ control }) => control === "mask"));
    const field = repaint?.fields.find(({ control }) => control === "mask");
    if (!repaint || !field) throw new Error("Nothing is repainted.");
    const open = { show: "field", field: field.name, regions: [0, 1, 2, 3, 4, 5, 6, 7, 8] } as const;
    const shown = { say, ...state(repaint, {}, open, "text") };
    const labels = draftPage(plainFormat(WHATSAPP.body, { inList: true }), shown)
      .rows.flat()
      .map(({ text }) => text);
    expect(labels[0]).toBe(say("draft.mask.use"));
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.filter((label) => /^🟥 \S/u.test(label))).toHaveLength(9);
    for (const label of labels) expect(unitsOf(label), label).toBeLessThanOrEqual(WHATSAPP.rowTitle);
  });

  it.each(OPERATIONS)(
    "every screen of $name is buttons or pages of rows that WhatsApp takes",
    (operation) => {
      for (const bare of screens(operation)) {
        const page = draftPage(plainFormat(WHATSAPP.body, { inList: true }), { say, ...bare });
        expect(unitsOf(page.text)).toBeLessThanOrEqual(WHATSAPP.text);
        const buttons = page.rows.flat();
        for (let from = 0; from < buttons.length; from += WHATSAPP.rows - 1)
          expect(misfits(choicesOf(buttons, WHATSAPP, { from, more }))).toEqual([]);
      }
    },
  );
});
