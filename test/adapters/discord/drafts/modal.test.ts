import { type APIModalSubmission, ComponentType } from "discord.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modalOf } from "../../../../adapters/discord/drafts/modal.ts";
import { answered } from "../../../../adapters/discord/drafts/modal-answer.ts";
import { fieldsOn, pagesOf } from "../../../../adapters/discord/drafts/modal-page.ts";
import { applicable } from "../../../../src/seam/forms/filling.ts";
import type { FieldSpec } from "../../../../src/seam/fields.ts";
import type { Value, Values } from "../../../../src/seam/values.ts";
import { COMMAND_SPECS } from "../../../../src/domain/dispatch/registry.ts";
import { LOCALES, translator } from "../../../../src/common/i18n.ts";
import { modal as rules } from "../../../support/discord/rules/modal.ts";

const say = translator("en");
const fieldsOf = (name: string) => COMMAND_SPECS.find((spec) => spec.name === name)?.fields ?? [];
const file = (id: string) => ({ surface: "discord", id }) as const;

/** What a field may be filled in with. */
function valueOf(field: FieldSpec): fc.Arbitrary<Value> {
  const { control, choices = [], min = 1, max = 100, multipleOf: step = 1, maxItems = 1 } = field;
  switch (control) {
    case "image":
    case "mask":
      return fc.constant(file("a"));
    case "images":
    case "sounds":
      return fc.array(fc.constant(file("a")), { minLength: 1, maxLength: maxItems });
    case "number":
      return fc.integer({ min: min / step, max: max / step }).map((number) => number * step);
    case "switch":
      return fc.boolean();
    case "choice":
      return fc.constantFrom(...choices.map(({ value }) => value));
    case "catalogue":
    case "secret":
    case "text":
      return fc.string({ minLength: 1, maxLength: 5_000 });
    default:
      return control satisfies never;
  }
}

const filled = (fields: readonly FieldSpec[]): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(fields.map((field) => [field.name, valueOf(field)])), { requiredKeys: [] });

const sheet = fc
  .constantFrom(...COMMAND_SPECS)
  .filter(({ fields }) => fields.length > 0)
  .chain((spec) => fc.record({ spec: fc.constant(spec), values: filled(spec.fields) }));

/** What the modal of a page sends when nobody changes anything in it. */
function sentBack(modal: ReturnType<typeof modalOf>): APIModalSubmission {
  const components = modal.components.map((part, id) => {
    if (part.type !== ComponentType.Label) throw new Error("Everything has a label.");
    const { component } = part;
    const { type, custom_id } = component;
    if (type === ComponentType.TextInput)
      return { type: part.type, id, component: { type, id, custom_id, value: component.value ?? "" } };
    const options = type === ComponentType.StringSelect ? component.options : [];
    const values = options.filter((one) => one.default).map((one) => one.value);
    return { type: part.type, id, component: { type, id, custom_id, values } };
  });
  return { custom_id: modal.custom_id, components } as APIModalSubmission;
}

describe("a modal", () => {
  it("is one that Discord takes, whatever is filled in, in every language", () => {
    fc.assert(
      fc.property(sheet, fc.constantFrom(...LOCALES), ({ spec, values }, locale) => {
        const { fields, label } = spec;
        for (const [number, page] of pagesOf(fields, values).entries()) {
          const asking = { id: `~f:1:${number}`, title: { key: label }, fields, page, values, entries: {} };
          expect(rules.safeParse(modalOf(translator(locale), asking)).error).toBeUndefined();
        }
      }),
    );
  });

  it("changes nothing when nothing is changed in it", () => {
    fc.assert(
      fc.property(sheet, ({ spec: { fields, label }, values }) => {
        for (const page of pagesOf(fields, values)) {
          const asking = { id: "~f:1:0", title: { key: label }, fields, page, values, entries: {} };
          const { values: after, problem } = answered(sentBack(modalOf(say, asking)), fields, values, say);
          expect(problem).toBeUndefined();
          for (const { name, default: usual } of page.filter(({ control }) => control !== "secret")) {
            const before = values[name] ?? usual;
            const shown = typeof before === "string" ? before.trim() : before;
            expect(after[name] ?? usual).toEqual(shown === "" ? usual : shown);
          }
        }
      }),
    );
  });

  it("asks for every field that can be filled in, on one page only", () => {
    fc.assert(
      fc.property(sheet, ({ spec: { fields }, values }) => {
        const asked = pagesOf(fields, values).flat();
        expect(new Set(asked)).toEqual(new Set(applicable(fields, values)));
        expect(asked).toHaveLength(new Set(asked).size);
      }),
    );
  });
});

describe("what is missing", () => {
  it("is asked together, and is required", () => {
    const fields = fieldsOf("inpaint");
    const page = fieldsOn("missing", fields, {});
    expect(page.map(({ name }) => name)).toEqual(["image", "mask", "prompt"]);
    const asking = {
      id: "~f:1:missing",
      title: { key: "form.change" },
      fields,
      page,
      values: {},
      entries: {},
    } as const;
    const { components } = modalOf(say, asking);
    expect(components.map((part) => part.type === ComponentType.Label && part.component)).toMatchObject([
      { type: ComponentType.FileUpload, required: true, min_values: 1 },
      { type: ComponentType.FileUpload, required: true },
      { type: ComponentType.TextInput, required: true },
    ]);
  });

  it("are words only where no template stands beside them", () => {
    const fields = fieldsOf("video");
    const values = { image: file("a") };
    const required = (page: readonly FieldSpec[]) => {
      const asking = {
        id: "~f:1:0",
        title: { key: "form.change" },
        fields,
        page,
        values,
        entries: {},
      } as const;
      const [first] = modalOf(say, asking).components;
      return first?.type === ComponentType.Label && "required" in first.component && first.component.required;
    };
    expect(required(fieldsOn("missing", fields, values))).toBe(true);
    expect(required(fieldsOn(0, fields, values))).toBe(false);
  });
});

describe("words that are too long to be shown", () => {
  it("stay when the field is left empty, and go when there are others", () => {
    const fields = fieldsOf("vid3");
    const long = "waves ".repeat(1_000).trim();
    const asking = {
      id: "~f:1:0",
      title: { key: "form.change" },
      fields,
      page: fields.filter(({ name }) => name === "prompt"),
      values: { prompt: long },
      entries: {},
    } as const;
    const modal = modalOf(say, asking);
    expect(modal.components[0]).toMatchObject({ description: "Leave it empty to keep what is there." });
    expect(answered(sentBack(modal), fields, asking.values, say).values).toEqual({ prompt: long });
  });
});
