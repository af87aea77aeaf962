/** What stays of a request when something else is to be made: pure. */
import type { FieldSpec } from "../../../../../src/seam/fields.ts";
import { mediaIn, type MediaRef, type Value, type Values } from "../../../../../src/seam/values.ts";
import { roomOf, isPicture } from "../../../../../src/seam/forms/filling.ts";
import { faultOf, isGiven } from "./fields.ts";

/** A value that found no place, and may find one again. */
interface Kept {
  readonly field: FieldSpec;
  readonly value: Value;
  /** What it was chosen within or painted over: without that it means nothing. */
  readonly anchor: string | undefined;
}

/** What found no place. */
export interface Unused {
  readonly pictures: readonly MediaRef[];
  readonly values: readonly Kept[];
}

const NOTHING: Unused = { pictures: [], values: [] };

/**
 * The values of one form as far as another can take them: pictures go to its picture fields in their order, everything
 * else to the field of the same name if it may be that there. The rest is kept as unused, for the way back.
 */
export function carryOver(
  from: { fields: readonly FieldSpec[]; values: Values; unused?: Unused | undefined },
  to: readonly FieldSpec[],
): { values: Values; unused: Unused } {
  const { fields, unused = NOTHING } = from;
  const pictures = [
    ...fields.filter(isPicture).flatMap(({ name }) => mediaIn(from.values[name])),
    ...unused.pictures,
  ];
  const kept = new Set([...fields.flatMap((field) => keep(field, from.values)), ...unused.values]);

  const values: Record<string, Value> = {};
  for (const field of to.filter(isPicture)) {
    const taken = pictures.splice(0, roomOf(field));
    const value = field.control === "image" ? taken[0] : taken;
    if (isGiven(value)) values[field.name] = value;
  }
  for (const field of to) {
    const found = [...kept].find((one) => fits(one, field, values));
    if (!found) continue;
    values[field.name] = found.value;
    kept.delete(found);
  }
  return { values, unused: { pictures, values: [...kept] } };
}

function keep(field: FieldSpec, values: Values): Kept[] {
  const value = values[field.name];
  return isPicture(field) || !isGiven(value) ? [] : [{ field, value, anchor: anchorOf(field, values) }];
}

function fits({ field: old, value, anchor }: Kept, field: FieldSpec, values: Values): boolean {
  const same = (["name", "control", "catalogue", "within", "over"] as const).every(
    (trait) => old[trait] === field[trait],
  );
  const offered = field.choices?.some((choice) => choice.value === value) ?? true;
  return same && offered && anchor === anchorOf(field, values) && faultOf(field, value) === undefined;
}

function anchorOf({ within, over }: FieldSpec, values: Values): string | undefined {
  const name = within ?? over;
  return name === undefined ? undefined : JSON.stringify(values[name] ?? null);
}
