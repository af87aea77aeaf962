import type { FieldSpec } from "../../../../../src/seam/fields.ts";
import type { Value, Values } from "../../../../../src/seam/values.ts";

/** What every control gets. */
export interface ControlProps {
  readonly id: string;
  readonly field: FieldSpec;
  readonly value: Value | undefined;
  /** All of the form: a control may be about another one's value. */
  readonly values: Values;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  readonly onValue: (value: Value | undefined) => void;
}
