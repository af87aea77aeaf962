import { describe, expect, it } from "vitest";
import { parseToken } from "../../../src/seam/text/actions.ts";
import { home, type BrowsePlace, readPlace } from "../../../src/seam/browse/place.ts";
import type { Browser } from "../../../src/seam/browse/catalogues.ts";
import { viewOf } from "../../../src/seam/browse/view.ts";
import type { Suggestion } from "../../../src/seam/fields.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { translator } from "../../../src/common/i18n.ts";

/** What Discord takes below one message. */
const MOST_BUTTONS = 25;

const say = translator("en");

const template = (nth: number): Suggestion => ({
  value: `template-${nth}`,
  title: `Template ${nth}`,
  category: `Category ${nth}`,
  marks: [],
  variants: 0,
});

/** Somebody before a catalogue where every template has a category of its own. */
function browserOf(count: number): Browser {
  const suggestions = Array.from({ length: count }, (_, nth) => template(nth));
  const intake: Pick<Intake, "commands" | "suggest"> = {
    commands: COMMAND_SPECS,
    suggest: async () => suggestions,
  };
  const origin: Origin = {
    platform: "discord",
    user: "discord:1",
    address: {},
    locale: "en",
    audience: "group",
  };
  return { intake: intake as Intake, origin, say };
}

/** Where a view's button leads, by its label. */
function placeAt({ actions = [] }: NoticeView, label: string): BrowsePlace | undefined {
  const action = actions.find(({ label: { key, params = {} } }) => say(key, params) === label);
  return action && readPlace(parseToken(action.token).arg);
}

const labelsOf = ({ actions = [] }: NoticeView) =>
  actions.map(({ label: { key, params } }) => say(key, params));

describe("the categories of a catalogue", () => {
  it.each([2, 16, 17, 60])("are all found, page by page: %i of them", async (count) => {
    const browser = browserOf(count);
    const seen: string[] = [];
    let place = placeAt(await viewOf(browser, home("templates")), "Templates for videos");
    while (place) {
      const view = await viewOf(browser, place);
      const labels = labelsOf(view);
      expect(labels.length).toBeLessThanOrEqual(MOST_BUTTONS);
      seen.push(...labels.filter((label) => label.startsWith("Category")));
      place = placeAt(view, "Next ▶");
    }
    expect(seen).toEqual(Array.from({ length: count }, (_, nth) => `Category ${nth} (1)`));
  });
});
