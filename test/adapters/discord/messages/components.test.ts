import { type APIMessageComponentInteraction, ButtonStyle, ComponentType } from "discord.js";
import { describe, expect, it } from "vitest";
import {
  buttonRows,
  menuRows,
  type Row,
  coreTokenOf,
} from "../../../../adapters/discord/messages/components.ts";
import { action } from "../../../../src/seam/text/actions.ts";
import type { Action, MenuItem } from "../../../../src/seam/views.ts";
import { translator } from "../../../../src/common/i18n.ts";
import { rows as rules } from "../../../support/discord/rules/components.ts";
import { labelOf } from "../../../support/discord/seen.ts";

const say = translator("en");

const item = (id: string, ...actions: readonly Action[]): MenuItem => ({
  title: { key: "jobs.line", params: { operation: "video", text: "x".repeat(200) } },
  detail: { key: "fact.text", params: { text: `of ${id}` } },
  actions,
});

/** A finished job as the list shows it. */
const job = (id: string) =>
  item(id, action("show", id, "action.show", "primary"), action("delete", id, "action.delete", "danger"));

const labels = (rows: readonly Row[]) => rows.map(({ components }) => components.map(labelOf));

const pressed = (data: object) => ({ data }) as Pick<APIMessageComponentInteraction, "data">;

describe("buttons", () => {
  it("stand beside each other, five in a row, and show what they do by their colour", () => {
    const actions = [
      action("again", "1", "action.again", "primary"),
      ...["2", "3", "4", "5"].map((id) => action("change", id, "action.change")),
      action("delete", "1", "action.delete", "danger"),
    ];
    const rows = buttonRows(say, actions);
    expect(rows.map(({ components }) => components.length)).toEqual([5, 1]);
    expect(rows[0]?.components[0]).toEqual({
      type: ComponentType.Button,
      style: ButtonStyle.Primary,
      label: "Again",
      custom_id: "again:1",
    });
    expect(rows[1]?.components[0]).toMatchObject({ style: ButtonStyle.Danger });
    expect(buttonRows(say)).toEqual([]);
  });

  it("are cut to what Discord takes, and say so", () => {
    const label = { key: "fact.text", params: { text: "long ".repeat(30) } } as const;
    const [row] = buttonRows(say, [{ token: "t", label, style: "secondary" }]);
    expect(row && labelOf(row.components[0]!)).toMatch(/^.{70,79}…$/);
  });
});

describe("a menu", () => {
  it("of few items has a row for each, with its number", () => {
    const rows = menuRows(say, [job("1"), item("2"), job("3")], [action("jobs", "3", "action.older")]);
    expect(labels(rows)).toEqual([["1. Show again", "Delete"], ["3. Show again", "Delete"], ["Older"]]);
  });

  it("of many items has a list for each thing that can be done with them", () => {
    const many = Array.from({ length: 8 }, (_, index) => job(String(index + 1)));
    const rows = menuRows(say, many, [action("jobs", "8", "action.older")]);
    expect(labels(rows)).toEqual([["Show again…"], ["Delete…"], ["Older"]]);
    expect(rules.safeParse(rows).error).toBeUndefined();
    expect(rows[1]?.components[0]).toMatchObject({
      options: expect.arrayContaining([
        { label: expect.stringMatching(/^8\. Photo to video: x+…$/), value: "delete:8", description: "of 8" },
      ]),
    });
  });

  it("offers once what two items do alike, which Discord refuses as one id", () => {
    const rows = menuRows(say, [job("1"), job("1"), job("2")]);
    expect(labels(rows)).toEqual([
      ["1. Show again", "Delete"],
      ["3. Show again", "Delete"],
    ]);
    expect(rules.safeParse(rows).error).toBeUndefined();
  });

  it("gives the token of what was picked from it", () => {
    const [list] = menuRows(
      say,
      Array.from({ length: 8 }, (_, index) => job(String(index + 1))),
    );
    expect(coreTokenOf(pressed({ ...list?.components[0], values: ["show:4"] }))).toBe("show:4");
    expect(coreTokenOf(pressed({ custom_id: "again:1" }))).toBe("again:1");
    expect(coreTokenOf(pressed({ custom_id: "~d:1" }))).toBeUndefined();
    expect(coreTokenOf(pressed({ custom_id: "~s:rooms", values: ["x"] }))).toBeUndefined();
  });
});
