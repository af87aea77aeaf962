import { ComponentType, MessageFlags } from "discord.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DISCORD } from "../../../../adapters/discord/api/limits.ts";
import { bodyOf, escapeMarkdown, plain } from "../../../../adapters/discord/messages/render.ts";
import type { View } from "../../../../src/seam/views.ts";
import { translator } from "../../../../src/common/i18n.ts";

const say = translator("en");
const notice = (text: string): View => ({ kind: "notice", text: { key: "fact.text", params: { text } } });

/** What Discord makes of escaped text: a backslash goes before anything but letters, digits and spaces. */
const shownBy = (content: string) => content.replaceAll(/\\([^\p{L}\p{N}\s])/gu, "$1");

describe("a text", () => {
  it.each([
    [
      "*bold* _it_ ~~no~~ `code` ||spoiler||",
      "\\*bold\\* \\_it\\_ \\~\\~no\\~\\~ \\`code\\` \\|\\|spoiler\\|\\|",
    ],
    ["<@1> <#2> </make:3>", "\\<@1> <#2> \\</make:3>"],
    ["[here](https://x.example/a_b)", "\\[here\\](https://x.example/a_b)"],
    ["# title\n> quote\n- item\na-b # c > d", "\\# title\n\\> quote\n\\- item\na-b # c > d"],
    ["see https://x.example/a_b*c and a_b", "see https://x.example/a_b*c and a\\_b"],
    ["1. Photo to video", "1. Photo to video"],
  ])("%j is sent as %j", (text, sent) => {
    expect(escapeMarkdown(text)).toBe(sent);
  });

  it("is shown as it is, whatever is in it, and cut where Discord would refuse it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.integer({ min: 1, max: 30 }),
        (text, times) => {
          const whole = text.repeat(times);
          const [{ content = "" } = {}] = (bodyOf(say, notice(whole)).components ?? []) as {
            content?: string;
          }[];
          expect(content.length).toBeLessThanOrEqual(DISCORD.text);
          const shown = shownBy(content);
          const isCut = shown.endsWith("…") && whole.startsWith(shown.slice(0, -1));
          expect(shown === whole || isCut).toBe(true);
        },
      ),
    );
  });

  it("that is cut says so, and is never cut inside of what was escaped", () => {
    expect(plain("*".repeat(5_000))).toBe(`${"\\*".repeat((DISCORD.text - 2) / 2)}…`);
  });
});

describe("a message", () => {
  it("calls nobody, shows nothing of addresses in it, and takes old buttons away", () => {
    expect(bodyOf(say, notice("@everyone"))).toMatchObject({
      allowed_mentions: { parse: [] },
      flags: MessageFlags.IsComponentsV2,
      components: [{ type: ComponentType.TextDisplay, content: "@everyone" }],
    });
  });
});
